/*
 * What stands on every LBA of a block device or file, by direct I/O:
 *   lbas fill PATH BYTE   writes the byte (hexadecimal) everywhere, to the last LBA
 *   lbas check PATH BYTE  reads everything and prints
 *                         "bytes N old N zero N blocks N equal N"
 * old and zero count 512-byte pieces in which any 16 bytes in a row are all the pattern or all
 * zero (chance in random data: none); equal counts 4 KiB blocks that stand there more than once.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 1048576
#define BLOCK 4096
#define PIECE 512
#define GROUP 16

struct seen {
	uint64_t bytes, old, zero;
	uint64_t *hash; /* of each whole 4 KiB block */
	size_t count;
};

static int die(const char *what, const char *path)
{
	fprintf(stderr, "lbas: %s '%s': %s\n", what, path, strerror(errno));
	return 1;
}

static uint64_t size_of(int fd)
{
	uint64_t bytes = 0;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return 0;
	if (S_ISREG(st.st_mode))
		return (uint64_t)st.st_size;
	return ioctl(fd, BLKGETSIZE64, &bytes) < 0 ? 0 : bytes;
}

static bool has_group(const unsigned char *piece, unsigned char byte)
{
	unsigned run = 0;

	for (unsigned i = 0; i < PIECE; i++) {
		run = piece[i] == byte ? run + 1 : 0;
		if (run == GROUP)
			return true;
	}
	return false;
}

/* Two unlike multiply-and-fold chains of 32 bits: a chance hit among 2^20 blocks is < 2^-24. */
static uint64_t hash_of(const unsigned char *block)
{
	uint64_t hash = 0x9e3779b97f4a7c15u;

	for (unsigned i = 0; i < BLOCK; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, block + i, sizeof(word));
		hash = (hash ^ word) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	}
	return hash;
}

static int fill(int fd, uint64_t bytes, unsigned char *chunk, unsigned char byte)
{
	memset(chunk, byte, CHUNK);
	for (uint64_t at = 0; at < bytes;) {
		size_t want = bytes - at < CHUNK ? (size_t)(bytes - at) : CHUNK;

		if (pwrite(fd, chunk, want, (off_t)at) != (ssize_t)want)
			return -1;
		at += want;
	}
	return fsync(fd);
}

static void look(struct seen *seen, const unsigned char *chunk, size_t bytes,
		 unsigned char byte)
{
	for (size_t i = 0; i + PIECE <= bytes; i += PIECE) {
		seen->old += has_group(chunk + i, byte);
		seen->zero += has_group(chunk + i, 0);
	}
	for (size_t i = 0; i + BLOCK <= bytes; i += BLOCK)
		seen->hash[seen->count++] = hash_of(chunk + i);
	seen->bytes += bytes;
}

static int check(int fd, uint64_t bytes, unsigned char *chunk, unsigned char byte,
		 struct seen *seen)
{
	seen->hash = calloc(bytes / BLOCK + 1, sizeof(*seen->hash));
	if (!seen->hash)
		return -1;
	for (uint64_t at = 0; at < bytes;) {
		size_t want = bytes - at < CHUNK ? (size_t)(bytes - at) : CHUNK;

		if (pread(fd, chunk, want, (off_t)at) != (ssize_t)want)
			return -1;
		look(seen, chunk, want, byte);
		at += want;
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print(struct seen *seen)
{
	uint64_t equal = 0;

	qsort(seen->hash, seen->count, sizeof(*seen->hash), by_value);
	for (size_t i = 1; i < seen->count; i++)
		equal += seen->hash[i] == seen->hash[i - 1];
	printf("bytes %llu old %llu zero %llu blocks %zu equal %llu\n",
	       (unsigned long long)seen->bytes, (unsigned long long)seen->old,
	       (unsigned long long)seen->zero, seen->count, (unsigned long long)equal);
}

int main(int argc, char **argv)
{
	bool fills = argc == 4 && !strcmp(argv[1], "fill");
	unsigned char *chunk = NULL, byte;
	struct seen seen = {0};
	int fd, rc;

	if (!fills && (argc != 4 || strcmp(argv[1], "check") != 0)) {
		fprintf(stderr, "usage: lbas fill|check PATH BYTE\n");
		return 2;
	}
	byte = (unsigned char)strtoul(argv[3], NULL, 16);
	fd = open(argv[2], (fills ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		return die("cannot open", argv[2]);
	if (posix_memalign((void **)&chunk, BLOCK, CHUNK))
		return die("no memory for", argv[2]);
	rc = fills ? fill(fd, size_of(fd), chunk, byte)
		   : check(fd, size_of(fd), chunk, byte, &seen);
	if (rc < 0)
		rc = die(fills ? "cannot fill" : "cannot read", argv[2]);
	else if (!fills)
		print(&seen);
	free(seen.hash);
	free(chunk);
	close(fd);
	return rc;
}
