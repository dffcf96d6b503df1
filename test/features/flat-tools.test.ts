import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Input, McpApplication, Module, ToolGroup, type ObjectSchema } from 'toolwright';

const CONTACT: ObjectSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    by: { enum: ['phone', 'mail'] },
    phone: { $ref: '#/$defs/number' },
    mail: { type: 'string' },
  },
  $defs: { number: { $anchor: 'number', type: 'string' } },
  if: { properties: { by: { const: 'phone' } } },
  then: { required: ['phone'] },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['mail'] }] }],
  additionalProperties: false,
};

class Person {
  @IsString() person!: string;
}

@ToolGroup({ name: 'contacts', prefix: '' })
class ContactTools {
  @Action({ input: CONTACT }) add(@Input() contact: Record<string, unknown>): string {
    return JSON.stringify(contact);
  }
}

@ToolGroup({ name: 'people', prefix: 'hr', common: Person })
class PeopleTools {
  @Action({ name: 'hire_now', input: CONTACT }) hire(_person: Person): void {}
}

@ToolGroup('plants')
class PlantTools {
  @Action() grow(): void {}
}

@Module({ controllers: [ContactTools, PeopleTools, PlantTools] })
class OfficeModule {}

async function toolsOf(expose: 'grouped' | 'flat') {
  const app = await McpApplication.create(OfficeModule, { expose });
  const { definitions } = app;
  const result = await app.call('add', { by: 'mail', phone: '1' });
  await app.close();
  return { definitions, result };
}

test('A prefix replaces the group in the names of flat tools, or leaves it out', async () => {
  expect((await toolsOf('flat')).definitions.map(({ name }) => name)).toEqual([
    'add',
    'hr_hire_now',
    'plants_grow',
  ]);
  expect((await toolsOf('grouped')).definitions.map(({ name }) => name)).toEqual([
    'contacts',
    'people',
    'plants',
  ]);
});

test('A flat tool is called by the name that it is listed with', async () => {
  expect((await toolsOf('flat')).result.content).toEqual([
    { type: 'text', text: '{"by":"mail","phone":"1"}' },
  ]);
});

test('The JSON Schema of a flat tool is listed with every keyword that was written', async () => {
  const [add] = (await toolsOf('flat')).definitions;
  expect(add?.inputSchema).toEqual(CONTACT);
});

test('Together with common fields it is flattened, as there is no schema that was written for both', async () => {
  const { inputSchema } = (await toolsOf('flat')).definitions[1] ?? {};
  expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['person', 'by', 'phone', 'mail']);
  expect(inputSchema?.['if']).toBeUndefined();
  expect(inputSchema?.required).toEqual(['person']);
});
