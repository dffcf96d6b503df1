/** Attacks an application that is attached to servers of both SDKs, and prints a line for each attack. */
import 'reflect-metadata';
import {
  cancelledCalls,
  detachedMeanwhile,
  hostileParams,
  sharedIds,
  type AttachFindings,
} from './attach-attacks.ts';
import { ATTACH_WIRES, type AttachWire } from './attach-wires.ts';
import { createDesk } from './attached-desk.ts';

const isQuick = process.argv[2] === 'quick';
const count = isQuick ? 50 : 1000;

const ATTACKS: Readonly<Record<string, (wire: AttachWire) => Promise<AttachFindings>>> = {
  'hostile params': (wire) => hostileParams(wire, isQuick ? 20 : 1),
  'cancelled calls': (wire) => cancelledCalls(wire, count),
  'ids used twice': (wire) => sharedIds(wire, count / 10),
  // The last one: nothing is served afterwards
  'detached in the meantime': (wire) => detachedMeanwhile(wire, Math.min(count, 100)),
};

// Nothing else may: what is in memory has no sockets
const alive = setInterval(() => undefined, 60_000);
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

for (const [way, open] of Object.entries(ATTACH_WIRES)) {
  const app = await createDesk();
  const wire = await open(app);
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const start = performance.now();
    const { sent, wrong } = await attack(wire);
    const milliseconds = performance.now() - start;
    const faults = [...wrong, ...unhandled.splice(0).map(String)];
    process.stdout.write(`${JSON.stringify({ name: `${way}: ${name}`, sent, milliseconds, faults })}\n`);
  }
  await wire.close();
  await app.close();
}
clearInterval(alive);
