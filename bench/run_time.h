/* run_time.h: what one run of a case took, and the clock of the process. */
#ifndef BENCH_RUN_TIME_H
#define BENCH_RUN_TIME_H

/* Milliseconds. */
typedef struct RunTime {
    double work; /* the case's time: by the clock of the device, or the wall clock on the CPU */
    double
        cpu; /* that the processors spent on it, all threads of the process: of a driver that runs on the CPU a figure
                  * that other programs disturb less; 0 where nobody looked */
    double host; /* before the work could be submitted: commands and job tables; 0 where there is no such thing */
} RunTime;

/* Milliseconds that all threads of this process have run. */
double processNow(void);

#endif
