#include "refusals.h"

#include "count_of.h"
#include "import_options.h"
#include "named_files.h"

#include <string.h>
#include <strings.h>

#define HEAD_SIZE 4096

/* The first bytes of a file, and a final zero. */
typedef struct Head {
    char bytes[HEAD_SIZE + 1];
    size_t size;
} Head;

static bool begins(const Head *head, const char *bytes, size_t size) {
    return head->size >= size && memcmp(head->bytes, bytes, size) == 0;
}

static bool isUtf16(const Head *head) {
    return begins(head, "\xff\xfe", 2) || begins(head, "\xfe\xff", 2);
}

/* ---- Formats that are not read ---- */

#define BONES  "its bones need a reader of their own; save it as .glb"
#define BLEND  "its meshes, bones and clips need Blender; export .glb from it"
#define ZAE    "unpack it and read the .dae inside"
#define MOTION "it has a skeleton and its motion, but no clips are taken from it; save it as .fbx or .glb"
#define FRAMES "its frames place vertices, without bones"
#define STILL  "it has no bones"

static const struct {
    const char *extension, *name, *reason;
} UNREAD[] = {
    {".skel", "binary Spine skeleton", "export it as JSON"},
    {".iqm", "Inter-Quake Model", BONES},
    {".smd", "Valve SMD", BONES},
    {".vta", "Valve VTA", BONES},
    {".ms3d", "MilkShape 3D", BONES},
    {".b3d", "Blitz3D", BONES},
    {".m3d", "Model 3D", BONES},
    {".a3d", "Model 3D (text)", BONES},
    {".ogex", "OpenGEX", BONES},
    {".max", "3ds Max scene", BONES},
    {".mdl", "Quake, Half-Life or GameStudio model", BONES},
    {".ase", "3ds Max ASCII export", BONES},
    {".cob", "TrueSpace", BONES},
    {".lwo", "LightWave object", BONES},
    {".lxo", "Modo object", BONES},
    {".lws", "LightWave scene", BONES},
    {".pmx", "MikuMikuDance model", BONES},
    {".usd", "Universal Scene Description", BONES},
    {".usda", "Universal Scene Description", BONES},
    {".usdc", "Universal Scene Description", BONES},
    {".usdz", "Universal Scene Description", BONES},
    {".blend", "Blender file", BLEND},
    {".zae", "Collada archive", ZAE},
    {".bvh", "Biovision motion", MOTION},
    {".csm", "CharacterStudio motion", MOTION},
    {".md2", "Quake II model", FRAMES},
    {".md3", "Quake III model", FRAMES},
    {".mdc", "Return to Castle Wolfenstein model", FRAMES},
    {".hmp", "GameStudio terrain", FRAMES},
    {".3d", "Unreal model", FRAMES},
    {".uc", "Unreal model", FRAMES},
    {".obj", "Wavefront OBJ", STILL},
    {".ply", "Stanford PLY", STILL},
    {".stl", "stereolithography", STILL},
    {".off", "Object File Format", STILL},
    {".3ds", "3D Studio mesh", STILL},
    {".ac", "AC3D", STILL},
    {".acc", "AC3D", STILL},
    {".ac3d", "AC3D", STILL},
    {".amf", "Additive Manufacturing File", STILL},
    {".3mf", "3D Manufacturing Format", STILL},
    {".nff", "Neutral File Format", STILL},
    {".raw", "list of raw triangles", STILL},
    {".dxf", "AutoCAD DXF", STILL},
    {".irr", "Irrlicht scene", STILL},
    {".irrmesh", "Irrlicht mesh", STILL},
    {".q3o", "Quick3D", STILL},
    {".q3s", "Quick3D", STILL},
    {".x3d", "X3D", BONES},
    {".wrl", "VRML", STILL},
    {".ter", "Terragen terrain", STILL},
    {".xgl", "XGL", STILL},
    {".zgl", "XGL", STILL},
    {".sib", "Silo", STILL},
    {".jt", "Siemens JT", STILL},
    {".ifc", "IFC building", STILL},
};

bool refusalFromName(const char *path, EngineError *error) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < COUNT_OF(UNREAD); i++) {
        if (strcasecmp(dot, UNREAD[i].extension) == 0) {
            engineFail(error, "%s (%s) is not read: %s; read are " IMPORT_FORMATS, UNREAD[i].extension, UNREAD[i].name,
                       UNREAD[i].reason);
            return true;
        }
    }
    return false;
}

bool refusalFromHead(const char *path, EngineError *error) {
    Head head = {.size = 0};
    size_t size;
    FILE *file = fileOpen(path, &size);
    if (!file) {
        return false;
    }
    head.size = fread(head.bytes, 1, HEAD_SIZE, file);
    fclose(file);
    if (isUtf16(&head)) {
        engineFail(error, "the text is UTF-16, which is not supported; UTF-8 is");
        return true;
    }
    return false;
}
