import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api'; // TypeScript 6: the API of TypeScript 7 is not stable yet
import { expect, it } from 'vitest';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const page = readFileSync(path('API.md'), 'utf8');

/** All words of the page that stand in code: in back quotes, or in a block. */
const words = new Set([...page.matchAll(/```[^]*?```|`[^`\n]+`/g)].flatMap((m) => m[0].match(/\w+/g) ?? []));

const entries = ['src/index.ts', 'src/blocks/index.ts', 'src/blocks/walking.ts'];
const program = ts.createProgram(entries.map(path), { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], noEmit: true });
const checker = program.getTypeChecker();
const exported = (file: string): ts.Symbol[] =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path(file))!)!).map((s) => (s.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(s) : s));

/** The names of a type that its users may use. */
function members(s: ts.Symbol): string[] {
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(s)).filter((p) =>
    !p.declarations?.some((d) => ts.getCombinedModifierFlags(d) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected) || ts.getJSDocTags(d).some((t) => t.tagName.text === 'internal'))).map((p) => p.name);
}

it('the API page has each exported name', () => {
  const names = entries.flatMap(exported).map((s) => s.name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((n) => !words.has(n))).toEqual([]);
});

it('the API page has each option, event and member', () => {
  const all = new Map(entries.flatMap(exported).map((s) => [s.name, s]));
  const missing: string[] = [];
  for (const name of ['Options', 'World', 'Actor', 'Self', 'Link', 'Answer', 'Events', 'Corrected', 'Impair', 'Ticket', 'Keys', 'GameData', 'Body']) {
    const of = members(all.get(name)!);
    expect(of.length, name).toBeGreaterThan(1);
    missing.push(...of.filter((m) => !words.has(m)).map((m) => `${name}.${m}`));
  }
  expect(missing).toEqual([]);
});

it('README and API page have links that work in the package', () => {
  const { files } = JSON.parse(readFileSync(path('package.json'), 'utf8')) as { files: string[] };
  for (const name of ['README.md', 'API.md']) {
    expect(files).toContain(name);
    const links = [...readFileSync(path(name), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map((m) => m[1]!);
    for (const link of links) {
      if (/^https:\/\/github\.com\/truestep-io\/truestep\/(blob|tree)\/main\/(.+)$/.test(link)) readFileSync(path('../../' + RegExp.$2.replace(/#.*/, '')));
      else expect(files, `${name}: ${link}`).toContain(link.replace(/#.*/, ''));
    }
  }
});
