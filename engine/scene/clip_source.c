#include "clip_source.h"

double clipSourceDuration(const ClipSource *source, uint32_t clip) {
    return clip < source->clipCount ? (double)vkskinGetClipDuration(source->clips[clip]) : 0.0;
}

VkskinResult clipSourceSample(const ClipSource *source, uint32_t clip, double time, VkskinWrap wrap,
                              VkskinTransform *pose) {
    if (source->block && clip < source->clipCount) {
        return vkskinSampleAnimation(source->block, clip, time, wrap, pose);
    }
    return vkskinSampleClip(source->skeleton, clip < source->clipCount ? source->clips[clip] : NULL, time, wrap, pose);
}
