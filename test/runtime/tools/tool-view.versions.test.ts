import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gt, maxSatisfying, prerelease, rsort } from 'semver';
import { createTool } from '../../../src/builder/grouped-tool-builder.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { addVersionMeta, challengeOf } from '../../../src/kernel/call/outcome.ts';
import { ToolRegistry } from '../../../src/attach/tool-registry.ts';

const number = fc.integer({ min: 0, max: 3 });
const version = fc
  .tuple(number, number, number, fc.constantFrom('', '', '-alpha', '-beta.2', '-beta.11'))
  .map(([major, minor, patch, end]) => `${String(major)}.${String(minor)}.${String(patch)}${end}`);
const versions = fc.uniqueArray(version, { minLength: 1, maxLength: 6 });
const range = fc.oneof(
  fc.tuple(fc.constantFrom('^', '~', '>=', '<', '=', '>'), version).map((parts) => parts.join('')),
  fc.tuple(version, version).map(([low, high]) => `>=${low} <${high}`),
  fc.tuple(version, version).map((either) => either.join(' || ')),
  fc.constantFrom('*', '1', '2.x', '', '1.0 - 2'),
);

function toolOf(texts: readonly string[]) {
  const tool = createTool('tool');
  for (const text of texts) tool.action({ name: 'run', version: text, handler: () => text });
  return tool;
}

test('The version that runs is the highest that satisfies the range, as npm has it', async () => {
  await fc.assert(
    fc.asyncProperty(versions, range, async (texts, asked) => {
      const result = await toolOf(texts).execute({ action: 'run' }, undefined, { version: { run: asked } });
      const best = maxSatisfying(texts, asked);
      if (best === null) {
        const facts = { code: 'VERSION_UNAVAILABLE', availableVersions: rsort([...texts]) };
        expect(result).toMatchObject({ isError: true, _meta: { 'toolwright/error': facts } });
      } else {
        expect(result).toMatchObject({ content: [{ text: best }], _meta: { 'toolwright/version': best } });
      }
    }),
    { numRuns: 60 },
  );
});

test('Without a range it is the newest release, or the newest prerelease where there is none', async () => {
  await fc.assert(
    fc.asyncProperty(versions, async (texts) => {
      const releases = texts.filter((text) => prerelease(text) === null);
      const [newest] = rsort([...(releases.length === 0 ? texts : releases)]);
      expect(await toolOf(texts).execute({ action: 'run' })).toMatchObject({ content: [{ text: newest }] });
    }),
    { numRuns: 30 },
  );
});

test('Names of versions differ, whatever the versions are, and each runs its own', async () => {
  await fc.assert(
    fc.asyncProperty(versions, async (texts) => {
      const registry = new ToolRegistry({ expose: 'flat' }).register(toolOf(texts));
      const names = registry.getTools().map(({ name }) => name);
      expect(new Set(names).size).toBe(texts.length);
      for (const [index, name] of names.entries()) {
        expect(await registry.routeCall(name)).toMatchObject({ content: [{ text: texts[index] }] });
      }
      expect(
        texts.some((text) => gt(text, texts[names.indexOf('tool_run')] ?? '') && prerelease(text) === null),
      ).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('A refusal of an action with a version keeps its challenge', () => {
  const refused = challengeOf(new ProtocolError(-32003, 'Sign in'), { status: 401, headers: {} });
  expect(addVersionMeta(refused, { version: undefined, deprecated: 'soon gone' })).toEqual(refused);
});
