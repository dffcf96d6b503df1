import { expect, test } from '@jest/globals';
import { createSubmission } from '../../../src/cli/client-rules/submission.ts';
import type { JudgedTool } from '../../../src/cli/client-rules/judged.ts';

const tool = (name: string, annotations: Readonly<Record<string, boolean>>): JudgedTool => ({
  ...{ name, annotations, inputSchema: { type: 'object' } },
  actions: [
    { key: 'find', isReadOnly: true, isDestructive: false },
    { key: 'remove', isReadOnly: false, isDestructive: true },
  ],
});
const DESTROYS = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

test('has the three hints of each tool, and a sentence for each from the marks', () => {
  const { tools, ...others } = createSubmission([tool('notes', DESTROYS)]);
  expect(others).toEqual({
    $schema: 'https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json',
    schema_version: 1,
  });
  expect(tools).toEqual({
    notes: {
      annotations: DESTROYS,
      justifications: {
        read_only_justification: 'It changes data: remove.',
        open_world_justification:
          'It stays in the data of this server, and changes nothing that is public or belongs to a third party.',
        destructive_justification: 'It can delete or overwrite data: remove.',
      },
    },
  });
});

test('takes what is left out as the protocol does', () => {
  const { tools } = createSubmission([tool('notes', {}), tool('reads', { readOnlyHint: true })]);
  expect(tools).toMatchObject({
    notes: { annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true } },
    reads: { annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true } },
  });
});

test('keeps what a person edited while the hints are the same, and everything else in the file', () => {
  const edited = { annotations: DESTROYS, justifications: { read_only_justification: 'As we say it.' } };
  const before = {
    app_info: { display_name: 'Notes' },
    tools: { notes: edited, gone: edited },
    test_cases: [],
  };
  const kept = createSubmission([tool('notes', DESTROYS)], before);
  expect(kept).toMatchObject({ app_info: before.app_info, test_cases: [], tools: { notes: edited } });
  expect(Object.keys(kept['tools'] as object)).toEqual(['notes']);
  const changed = createSubmission([tool('notes', { ...DESTROYS, openWorldHint: true })], before);
  expect(JSON.stringify(changed)).not.toContain('As we say it.');
});
