import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { chainOf, linesOf, record } from '../../support/audit-chain.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

const ANN = { issuer: 'https://id.example', clientId: 'desk', sub: 'ann', tenant: 'north' };
const BOT = { clientId: 'bot' };

@ToolGroup('things')
class Things {
  @Action('List') list(): string {
    return 'none';
  }
}
@Module({ controllers: [Things] })
class ThingsModule {}

/** The subject in the access log of an application, after a call of Ann. */
async function loggedSubject(options: object): Promise<string> {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(ThingsModule, { accessLog: true, logger, ...options });
  const { clientId, ...extra } = ANN;
  await app.call('things', { action: 'list' }, { authInfo: { token: 't', scopes: [], clientId, extra } });
  await app.close();
  const served = logger.records.find(({ event }) => event === 'request.served');
  return String(served?.['subject']);
}

describe('toolwright who', () => {
  let folder: CommandFolder;
  const [first, ...others] = chainOf('only', 3);
  const records = [first, record('only', 2, '', ANN), record('only', 3, '', ANN), ...others] as never;

  beforeAll(() => {
    folder = new CommandFolder({
      'audit.jsonl': `${linesOf(records).join('\n')}\n`,
      'suspects.jsonl': `${JSON.stringify(BOT)}\nnonsense\n`,
      'log.key': 'a key of the log\n',
      'mcp.secret': 'the first secret of the application\n',
      empty: '',
    });
  });
  afterAll(() => folder.remove());

  test('finds the caller of a log record in an audit, by its key and by the secrets', async () => {
    const byKey = await loggedSubject({ redact: { endUserKey: 'a key of the log' } });
    const end = await folder.run(['who', 'audit.jsonl', byKey, '--key', 'log.key', '--json']);
    expect(end.exitCode).toBe(0);
    expect(JSON.parse(end.stdout)).toEqual({ subjects: [{ ...ANN, hash: byKey }] });
    const bySecrets = await loggedSubject({ secrets: ['the first secret of the application'] });
    const short = await folder.run(['who', 'audit.jsonl', bySecrets.slice(0, 8), '--secrets', 'mcp.secret']);
    expect(short.stdout).toBe(
      `${bySecrets}: client desk, sub ann, tenant north, issuer https://id.example\n`,
    );
  });

  test('gives the hash of each suspect, and ends with 1 where it is nobody', async () => {
    const all = await folder.run(['who', 'suspects.jsonl', '--key', 'log.key', '--json']);
    const hash = createHmac('sha256', 'a key of the log').update('[null,"bot",null,null]').digest('hex');
    expect(JSON.parse(all.stdout)).toEqual({ subjects: [{ ...BOT, hash }] });
    const none = await folder.run(['who', 'suspects.jsonl', '00000000', '--key', 'log.key']);
    expect(none).toMatchObject({ exitCode: 1, stdout: 'None of the callers has this hash.\n' });
  });

  test.each([
    [['who', 'audit.jsonl'], 'takes the key of the hashes from one file'],
    [['who', 'audit.jsonl', '--key', 'log.key', '--secrets', 'mcp.secret'], 'from one file'],
    [['who', 'audit.jsonl', '--key', 'empty'], 'found nothing in'],
    [['who', 'audit.jsonl', '--key', 'missing'], 'cannot read missing: ENOENT'],
    [['who', 'missing', '--key', 'log.key'], 'cannot read missing: ENOENT'],
    [['who', 'audit.jsonl', 'ann', '--key', 'log.key'], 'cannot look for ann'],
  ])('refuses %j', async (line, message) => {
    const end = await folder.run(line);
    expect(end.exitCode).toBe(2);
    expect(end.stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });
});
