// surface.glsl: how a surface of the crowd answers sun and sky: a diffuse part and a GGX highlight. The crowd's fragment
// shaders include it.
#ifndef SURFACE_GLSL
#define SURFACE_GLSL

#include "raster/light.glsl"

layout(push_constant) uniform Part {
    RasterPart part;
};

struct Surface {
    vec3 base; // linear
    vec3 normal;
    vec3 emission;
    float metallic;
    float roughness;
    float open; // share of the sky's light that arrives
};

// The normal of the visible side. Files disagree about winding, so the triangle itself decides which side is visible.
// A smooth normal may lean a little past its triangle's edge-on: it then swings over in a bend, not in a seam.
vec3 seenNormal(vec3 n, vec3 world) {
    vec3 face = normalize(cross(dFdy(world), dFdx(world))); // towards the eye, as the picture's y runs down
    float height = dot(n, face);
    if (height < 0.0) {
        vec3 along = n - height * face;
        float kept = 2.0 * smoothstep(-0.4, 0.0, height) - 1.0;
        return normalize(kept * along - height * face);
    }
    return n;
}

float fifthPower(float x) {
    float square = x * x;
    return square * square * x;
}

// Reflected light of a lamp over the diffuse light of a white surface. Walter et al. 2007 (GGX); the masking of Hammon 2017; the
// reflectance of Schlick 1994.
vec3 highlight(vec3 reflectance, float roughness, vec3 n, vec3 toEye, vec3 toLamp) {
    vec3 between = normalize(toEye + toLamp);
    float a = max(roughness * roughness, 0.01);
    float lamp = max(dot(n, toLamp), 0.0);
    float eye = max(dot(n, toEye), 0.001);
    float middle = max(dot(n, between), 0.0);
    float spread = middle * middle * (a * a - 1.0) + 1.0;
    float masked = 0.5 / mix(2.0 * lamp * eye, lamp + eye, a);
    vec3 fresnel = reflectance + (1.0 - reflectance) * fifthPower(1.0 - max(dot(toEye, between), 0.0));
    return fresnel * (a * a / (spread * spread) * masked * lamp);
}

// What a mirror shows of sky and ground: the smoother it is, the sharper is the horizon in it.
vec3 mirroredLight(vec3 direction, float roughness) {
    return skylight(vec3(0.0, clamp(direction.y / mix(0.2, 1.0, roughness), -1.0, 1.0), 0.0));
}

vec3 shade(Surface surface, vec3 world) {
    vec3 n = surface.normal;
    vec3 toEye = normalize(frame.eye.xyz - world);
    vec3 toSun = frame.sunDirection.xyz;
    vec3 plain = part.specular.rgb;
    vec3 reflectance = mix(plain, surface.base, surface.metallic);
    vec3 scattered = surface.base * (1.0 - surface.metallic) * (1.0 - max(plain.r, max(plain.g, plain.b)));
    float facing = dot(n, toSun);
    float lit = sunlight(world, n);
    // The direct part is zero where the shadow's edge follows the facets; the scattered part bends around them.
    float diffuse = max(facing, 0.0) * lit + 0.06 * (facing + 1.0);
    vec3 gloss = highlight(reflectance, surface.roughness, n, toEye, toSun) * lit;
    float edge = fifthPower(1.0 - max(dot(n, toEye), 0.0));
    vec3 mirrored = reflectance + (max(vec3(1.0 - surface.roughness), reflectance) - reflectance) * edge;
    vec3 sky = scattered * skylight(n) + mirrored * mirroredLight(reflect(-toEye, n), surface.roughness);
    vec3 toFill = frame.fillDirection.xyz;
    vec3 fill = scattered * max(dot(n, toFill), 0.0) + highlight(reflectance, surface.roughness, n, toEye, toFill);
    vec3 shown = SUN * (scattered * diffuse + gloss) + (sky + FILL * fill) * surface.open;
    return mix(shown, surface.base, part.emission.w) + surface.emission;
}

#endif
