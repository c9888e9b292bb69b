/* Exit codes of the program: the one place that defines them (pts(1), section EXIT STATUS). */
#ifndef PTS_EXIT_H
#define PTS_EXIT_H

enum pts_exit {
	PTS_EXIT_GOOD = 0, /* done, all verdicts good */
	PTS_EXIT_VERDICT =
		1, /* done, a verdict is bad: not steady, a claim failed, verify differs */
	PTS_EXIT_USAGE = 2,      /* the command line is wrong */
	PTS_EXIT_SAFETY = 3,     /* refused for safety */
	PTS_EXIT_SPEC = 4,       /* a spec (or another input file) is invalid */
	PTS_EXIT_DEVICE = 5,     /* a device or I/O error ended the run */
	PTS_EXIT_MISSING = 6,    /* something needed is missing: io_uring, gnuplot, rights */
	PTS_EXIT_GUARD = 7,      /* stopped by a guard: heat, wear budget, link */
	PTS_EXIT_BUG = 70,       /* a bug of ours */
	PTS_EXIT_RESUMABLE = 75, /* stopped and resumable */
};

#endif
