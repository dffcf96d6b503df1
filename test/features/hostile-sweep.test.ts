import { expect, test } from '@jest/globals';
import { createTool, ToolRegistry } from '../../src/index.ts';
import { hostileValues, SWEPT } from '../attack/swept.ts';

// The whole sweep is `npm run soak -- --only sweep`: all values for all schemas, up to 4 MB.
const BYTES = 100_000;
/** Each schema meets one value of so many, the next schema the values beside them. */
const STRIDE = 8;
/** In milliseconds of the processor, which a busy machine does not make more. The bound is 250 ms. */
const LONGEST = 1250;

test('no validator, keyword or schema of zod holds up the server for long, whatever the value', async () => {
  const values = [...hostileValues(BYTES)].map(({ name, json }) => ({
    name,
    value: JSON.parse(json) as unknown,
  }));
  const registry = new ToolRegistry();
  const schemas = [...SWEPT].map(([name, schema], index) => {
    const tool = `t${String(index)}`;
    registry.register(createTool(tool).action({ name: 'a', schema, handler: () => 'done' }));
    return { name, tool, index };
  });
  const slow: string[] = [];
  for (const { name, tool, index } of schemas) {
    await registry.routeCall(tool, { action: 'a', value: 'usual' });
    for (const [place, hostile] of values.entries()) {
      if ((place + index) % STRIDE !== 0) continue;
      const start = process.cpuUsage();
      await registry.routeCall(tool, { action: 'a', value: hostile.value });
      const { user, system } = process.cpuUsage(start);
      const took = (user + system) / 1000;
      if (took > LONGEST) slow.push(`${name} <- ${hostile.name}: ${took.toFixed(0)} ms`);
    }
  }
  expect(schemas.length).toBeGreaterThan(140);
  expect(slow).toEqual([]);
});
