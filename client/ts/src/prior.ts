// The initial probabilities of the contexts of snapshots: proto/web/prior.bin of the server, a constant of the protocol version. A byte is
// a probability in 1/256.

import { context, NUMBER } from './coder.js';

const COUNT = 5; // number of decisions that a trained probability counts as
const FIELDS = 6; // number of built-in fields, which have trained contexts

// The trained probabilities in parts: first the two of MORE, then two parts for each number, for contexts below SECOND and all others.
const trained =
  'AQOd/2+RsMrm+KWxuszZiX7WdJm8t1VtgqO2vJPoqJmxuXrUSae1/7bam/+KftVzm7uzWGWLlbe7kOmVkZejftqGfTo1Wf/CxbmQf/87AgEICRowc/+AgICAkoeM/YKPAQH/gID/QoB1' +
  'oLZ6o5fFy42U039/gp6En8P/vOcDpP1CfXWdvH2gj83Sk5S9UoNur74tL1b+yOKziomG/jkEAgYLGC5e94OOAQH/gID/cHy5TTpRgsN2fZfPpoScvbWgraN+zTsUHU/93KeTgMtqe7pR' +
  'PFWAwX10uM6oiJ6+sZyfSoNlm74nLlL+qsysk4V7/kQBAgQJISp3/4CAgHuWjprzgZIBAf+AgP8uf0+BnkxtodN2ocqchZzYjYZNi5QdLav+l9fvlGfKNYBWeZxIap3Jg6PMlYOU5LNH' +
  'e1imqCssVf6Zz7aEeXv8LwIBBA8TK2b/gICAgG+khO6BjgEB/4CA/0d/cTxPZUB0sNOv4pyZpJOSmM21z5uIkjdbfi6py6P8rY7DjFVxjv5KfnE4UGNBcbDVu8WcmaeTk5jHp64yfidi' +
  'tIYrWf6JrN+UfYH8QAIFCAoXM3L/gEFSfoWFl+2BngEB/4CA/wZ7Chg2VHmlvvh7gY2Zp7nClfEzU3Wt3qGYodQFfwkXNlN5o7z3eYGOmqe9tTWBNzpCPSlU+5qbq5pqc/4BARax//oB' +
  'Af+AgP8=';
// The number of trained probabilities in each part, as one digit in base 36. All other probabilities of a part are one half.
const counts = '285b774b795a763858585969063b885b896a763a696a796a763c9b8c996a763a774a7964063';
const SECOND = 36;

let at = 0;
const bytes = atob(trained);
const parts = Array.from(counts, (n, i) => bytes.slice(at, (at += parseInt(n, 36))).padEnd(i % 2 ? SECOND : i && NUMBER - SECOND, '\x80'));
const prior = Uint32Array.from(parts.join(''), (c) => context(Math.min(Math.max(c.charCodeAt(0) << 7, 32), 32736), COUNT));

export const MORE = prior.subarray(0, 2);
export const GAP = prior.subarray(2, 2 + NUMBER);

/** The trained contexts of a built-in field, for a class (classOf) of the baseline's age. */
export function contextsOf(field: number, cls: number): Uint32Array {
  const at = 2 + NUMBER + NUMBER * (FIELDS * cls + field);
  return prior.subarray(at, at + NUMBER);
}

/** The class of a state whose baseline is back snapshots older. */
export const classOf = (back: number): number => (back === 0 ? 5 : back <= 2 ? back - 1 : back <= 4 ? 2 : back <= 8 ? 3 : 4);
