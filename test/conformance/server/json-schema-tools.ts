import { Action, Input, ReadOnly, ToolGroup, type ObjectSchema } from 'toolwright';

/** Keywords that no class could say; they reach clients as they stand here. */
const CONTACT: ObjectSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

@ToolGroup({ name: 'json-schema', prefix: '' })
export class JsonSchemaTools {
  @Action({
    name: 'json_schema_2020_12_tool',
    description: 'Takes what a JSON Schema of the 2020-12 dialect describes',
    input: CONTACT,
  })
  @ReadOnly()
  contact(@Input() contact: Record<string, unknown>) {
    return `Contact: ${JSON.stringify(contact)}`;
  }
}
