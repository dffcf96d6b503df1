import 'reflect-metadata';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { McpApplication, type CheckPath, type Class } from 'toolwright';
import { createChecker } from '../../src/dto/check/class-check.ts';
import { createClassContract } from '../../src/compile/contracts/create-contract.ts';
import { readShape } from '../../src/dto/shape/read-shape.ts';
import { Contact, sampleContact } from '../order/contact.ts';
import { Order } from '../order/order.ts';
import { sampleOrder } from '../order/sample-order.ts';
import { OrderModule } from '../servers/toolwright/order.module.ts';
import { orderSchema } from './order-schema.ts';
import { readArguments, sendProgress, sendResult } from './program.ts';
import { race, type RaceSettings } from './race.ts';
import { synchronousSide, type Workload } from './time-box.ts';

type Value = Record<string, unknown>;

function classStack(type: Class, value: Value): Workload {
  const run = (): boolean => validateSync(plainToInstance(type as new () => object, value)).length === 0;
  return accepting({ name: 'class stack', run, batch: 20 });
}

function checker(type: Class, value: Value, path: CheckPath): Workload {
  const { run } = createChecker(readShape(type), { unknownFields: 'strict', path });
  return accepting({ name: path, run: () => run(value), batch: 2000 });
}

function zod(value: Value): Workload {
  return accepting({ name: 'zod 4', run: () => orderSchema.safeParse(value).success, batch: 200 });
}

async function ajv(value: Value): Promise<Workload> {
  const app = await McpApplication.create(OrderModule);
  const schema = app.definitions[0]?.inputSchema;
  const check = new Ajv2020({ strict: false }).compile(schema ?? false);
  const run = (): unknown => check(value) && plainToInstance(Order, value);
  return accepting({ name: 'ajv with plainToInstance', run, batch: 50 });
}

function accepting(workload: Workload): Workload {
  if (!workload.run()) throw new Error(`${workload.name} does not accept its input`);
  return workload;
}

function contract(value: Value, path: CheckPath): Workload {
  const { check } = createClassContract(Order, { unknownFields: 'strict', where: 'bench', path });
  return { name: path, run: () => check(value), batch: 20 };
}

/** With the first use, in case that one only compiles what it needs. */
function compilation(path: CheckPath): Workload {
  const shape = readShape(Order);
  const run = (): unknown => createChecker(shape, { unknownFields: 'strict', path }).run(order);
  return { name: path, run, batch: 20 };
}

const settings = readArguments<RaceSettings>();
const order = sampleOrder();
const invalid = { ...order, id: 0 };
const contact = sampleContact();
const races: Readonly<Record<string, readonly Workload[]>> = {
  valid: [
    classStack(Order, order),
    checker(Order, order, 'generated'),
    checker(Order, order, 'closures'),
    zod(order),
    await ajv(order),
  ],
  formats: [
    classStack(Contact, contact),
    checker(Contact, contact, 'generated'),
    checker(Contact, contact, 'closures'),
  ],
  invalid: [contract(invalid, 'class-stack'), contract(invalid, 'generated'), contract(invalid, 'closures')],
  compiling: [classStack(Order, order), compilation('generated'), compilation('closures')],
};
const results: Record<string, unknown> = {};
for (const [name, workloads] of Object.entries(races)) {
  sendProgress(name);
  results[name] = await race(
    workloads.map((workload) => synchronousSide(workload, settings.window)),
    [workloads[0]?.name ?? '', 'generated'],
    settings,
  );
}
sendResult(results);
