// The light of the world: a low sun, the sky, light from the ground, and haze in the distance. It is the same at all places and times,
// and all surfaces are matt. So it is computed for each vertex, and the ground's colours include it: a pixel costs next to nothing,
// which is what matters where there is no graphics card.

import * as THREE from 'three';

export const HAZE = 0xe8b48a;
const CLEAR = 34, HAZY = 60; // distances in blocks at which the haze begins, and from which on it covers everything

const radiance = (colour: number, intensity: number): THREE.Color => new THREE.Color(colour).multiplyScalar(intensity / Math.PI);
const SKY = radiance(0xffe3c2, 1.7), GROUND = radiance(0x5a5470, 1.7), SUN = radiance(0xffc37d, 2.1);
const SUNWARD = new THREE.Vector3(-30, 26, 18).normalize();

/** Turns the colour of a surface into that of its light, in sRGB; the normal is a unit vector. */
export function illuminate(c: THREE.Color, normal: THREE.Vector3): THREE.Color {
  const up = 0.5 + 0.5 * normal.y, sun = Math.max(0, normal.dot(SUNWARD));
  c.r *= GROUND.r + (SKY.r - GROUND.r) * up + SUN.r * sun;
  c.g *= GROUND.g + (SKY.g - GROUND.g) * up + SUN.g * sun;
  c.b *= GROUND.b + (SKY.b - GROUND.b) * up + SUN.b * sun;
  return c.convertLinearToSRGB();
}

const vec3 = (v: THREE.Color | THREE.Vector3): string => `vec3(${v.toArray().map((n) => n.toFixed(6)).join(', ')})`;
const haze = new THREE.Color(HAZE).convertLinearToSRGB();

// ILLUMINATED: the attribute color includes the light. Otherwise the vertices belong to things, which have four texels each: the rows
// of the thing's matrix, and its colour.
const VERTEX = `
  varying vec4 shade;
  uniform float opacity;
  #ifdef ILLUMINATED
    attribute vec4 color;
  #else
    attribute float thing;
    attribute float skin;
    uniform highp sampler2D things;
    uniform vec3 skinColour;
    vec3 illuminate(vec3 c, vec3 normal) {
      c *= mix(${vec3(GROUND)}, ${vec3(SKY)}, 0.5 + 0.5 * normal.y) + ${vec3(SUN)} * max(0.0, dot(normal, ${vec3(SUNWARD)}));
      return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, vec3(lessThanEqual(c, vec3(0.0031308))));
    }
  #endif
  void main() {
    vec4 at = vec4(position, 1.0);
    #ifdef ILLUMINATED
      vec3 c = color.rgb;
    #else
      mat4 rows = mat4(texelFetch(things, ivec2(0, thing), 0), texelFetch(things, ivec2(1, thing), 0), texelFetch(things, ivec2(2, thing), 0), vec4(0.0, 0.0, 0.0, 1.0));
      at = at * rows;
      vec3 c = mix(texelFetch(things, ivec2(3, thing), 0).rgb, skinColour, skin);
      c = illuminate(c, normalize((vec4(normal, 0.0) * rows).xyz));
    #endif
    at = modelViewMatrix * at;
    gl_Position = projectionMatrix * at;
    float hazy = smoothstep(${CLEAR}.0, ${HAZY}.0, -at.z);
    #ifdef SHADOW
      shade = vec4(0.0, 0.0, 0.0, opacity * (1.0 - hazy));
    #else
      shade = vec4(mix(c, ${vec3(haze)}, hazy), opacity);
    #endif
  }`;
const FRAGMENT = `
  varying vec4 shade;
  void main() { gl_FragColor = shade; }`;

const material = (defines: Record<string, string>, opacity: number, skin = 0): THREE.ShaderMaterial =>
  new THREE.ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, defines, transparent: opacity < 1, depthWrite: !('SHADOW' in defines),
    uniforms: { skinColour: { value: new THREE.Color(skin) }, opacity: { value: opacity }, things: { value: null } },
  });

/** A material for batches of figures. */
export const matt = (skin = 0): THREE.ShaderMaterial => material({}, 1, skin);

/** A material for batches of shadows on the ground. */
export const shadow = (opacity: number): THREE.ShaderMaterial => material({ SHADOW: '' }, opacity);

/** A material for geometries whose attribute color includes the light: colours that illuminate has returned. */
export const illuminated = (opacity = 1): THREE.ShaderMaterial => material({ ILLUMINATED: '' }, opacity);
