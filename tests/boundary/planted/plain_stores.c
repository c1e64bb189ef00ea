/* Functions with the names that check_streaming.sh checks: one streams, one streams partly, the others do not. */
#include <immintrin.h>

void streamPositions(float *to, const float *from);
void streamNormalsFLOAT(float *to, const float *from);

__attribute__((target("avx"))) void streamPositions(float *to, const float *from) {
    _mm256_stream_ps(to, _mm256_loadu_ps(from));
}

__attribute__((target("avx"))) void streamNormalsFLOAT(float *to, const float *from) {
    _mm256_stream_ps(to, _mm256_loadu_ps(from));
    _mm256_storeu_ps(to + 8, _mm256_loadu_ps(from + 8));
}
