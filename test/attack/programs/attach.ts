import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LineProcess } from '../../support/line-process.ts';
import type { AttackProgram, AttackRow } from '../attack.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));

interface Attacked {
  readonly name: string;
  readonly sent: number;
  readonly milliseconds: number;
  readonly faults: readonly string[];
}

export const attach: AttackProgram = {
  name: 'attach',
  measures:
    'how long servers of both SDKs with an application attached are attacked, and which answers are wrong',
  run: async ({ build, isQuick, progress }) => {
    const child = new LineProcess({
      // the folder decides which tsconfig.json the runner reads
      cwd: HERE,
      args: [
        ...['--no-warnings', '--import', '@oxc-node/core/register', '--import', './redirect.mjs'],
        ...['./attach/attack-attached.ts', isQuick ? 'quick' : 'all'],
      ],
      env: { ATTACKED_PACKAGE: pathToFileURL(join(build, 'package.json')).href },
    });
    const end = await child.ended;
    if (end !== 0) throw new Error(`The attacked process ended with ${String(end)}:\n${child.output()}`);
    return child.stdout.map((line): AttackRow => {
      const { name, sent, milliseconds, faults } = JSON.parse(line) as Attacked;
      progress(`${name}: ${faults.length === 0 ? 'as it should be' : faults.join('; ')}`);
      const note = `${String(sent)} requests, ${String(faults.length)} wrong answers`;
      return { name, bytes: 0, milliseconds, note };
    });
  },
};
