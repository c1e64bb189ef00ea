/*
 * morph_setting.h: which morph targets of a model a MorphSetting is of.
 *
 * It is of all targets of its name. Where the model has none of it and the name is a whole number, it is of the target
 * of that number in each mesh that has as many.
 */
#ifndef ENGINE_MORPH_SETTING_H
#define ENGINE_MORPH_SETTING_H

#include "model.h"
#include "skin_choice.h"

/* Whether the setting is of target `target` of the mesh. */
bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target);

/* Whether it is of any target of the model. */
bool morphSettingIsKnown(const MorphSetting *setting, const Model *model);

#endif
