import { expect, test } from '@jest/globals';
import { McpClient } from '../../src/client/mcp-client.ts';
import { StdioTransport } from '../../src/client/stdio-transport.ts';

test.each([
  [
    'has no end',
    "const write = () => { while (process.stdout.write('x'.repeat(1000))); }; process.stdout.on('drain', write); write();",
  ],
  ['ends', "process.stdout.write(`${'x'.repeat(10001)}\\n`); process.stdin.resume();"],
])('a line that is longer than allowed ends the connection, where it %s', async (_name, program) => {
  const transport = new StdioTransport(process.execPath, {
    args: ['-e', `process.stdin.once('data', () => { ${program} })`],
    env: { NODE_OPTIONS: '' },
    stderr: 'ignore',
    maxAnswerBytes: 10_000,
  });
  await expect(McpClient.connect(transport, { era: '2025' })).rejects.toMatchObject({
    code: 'TW_CLIENT_LIMIT',
    what: 'sends more than 10000 bytes as one line.',
  });
});
