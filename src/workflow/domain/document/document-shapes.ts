import { createSchemaValidator, type CompiledSchema } from '../../../formats/index.ts';
import { workflowSchema } from './workflow-schema.ts';

/** What the schema of documents says, in parts that can be checked one after the other. */
export interface DocumentShapes {
  /** Of a document, whatever its steps are. */
  readonly whole: CompiledSchema;
  /** Of a step at the top level, whatever is in its body. */
  readonly step: CompiledSchema;
  readonly bodyStep: CompiledSchema;
}

type Schema = Readonly<Record<string, unknown>>;

let compiled: DocumentShapes | undefined;

export function documentShapes(): DocumentShapes {
  compiled ??= compile();
  return compiled;
}

function compile(): DocumentShapes {
  const schemas = createSchemaValidator();
  const definitions = workflowSchema.$defs as Readonly<Record<string, Schema>>;
  const $defs = {
    ...definitions,
    loopStep: withoutItems(definitions.loopStep, 'body'),
    condition: {},
    criteria: {},
    validationCriteria: {},
  };
  return {
    whole: schemas.compile({ ...withoutItems(workflowSchema, 'steps'), $defs }),
    step: schemas.compile({ $ref: '#/$defs/step', $defs }),
    bodyStep: schemas.compile({ $ref: '#/$defs/plainStep', $defs }),
  };
}

function withoutItems(schema: Schema = {}, name: string): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>>;
  return { ...schema, properties: { ...properties, [name]: { ...properties[name], items: {} } } };
}
