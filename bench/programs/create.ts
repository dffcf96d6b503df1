import { McpApplication, type ApplicationOptions } from 'toolwright';
import { manyControllers } from './many-controllers.ts';
import { readArguments, sendResult } from './program.ts';

const { controllers, surface } = readArguments<{
  readonly controllers: number;
  readonly surface?: ApplicationOptions['surface'];
}>();
const option = surface === undefined ? {} : { surface };
const module = manyControllers(controllers, 10);
const start = performance.now();
const before = process.cpuUsage();
const app = await McpApplication.create(module, { name: 'large', version: '1.0.0', ...option });
const elapsed = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (app.definitions.length !== controllers) throw new Error('It made other tools');
sendResult({ elapsed, processor: (user + system) / 1000 });
