import type { CompiledApplication } from '../compile/compile-application.ts';
import type { CompiledTool } from '../compile/tools/compiled-tool.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Problem } from '../errors/problem-list.ts';
import { refusedByClients, type ClientFinding, type ClientRule } from '../schema/client-rules.ts';

interface Advice {
  readonly code: ErrorCode;
  readonly why: string;
  readonly fix: string;
}

const KEY: Advice = {
  code: 'TW_ADVICE_PROPERTY_NAME',
  why: 'some clients leave out a tool with such a key, and an API of a model refuses the whole request.',
  fix: "rename the field to letters, digits, '_', '-' and '.', at most 64 of them: @Expose({ name }) gives a property another name",
};
const NAME: Advice = {
  code: 'TW_ADVICE_TOOL_NAME',
  why: 'some clients take 64 characters at most, and put the name of the server before.',
  fix: 'shorten the name of the group or of the action, or set `prefix` of the group',
};
const UNTYPED: Advice = {
  code: 'TW_ADVICE_UNTYPED',
  why: 'some clients send text for it, whatever it is, and others refuse the tool.',
  fix: "give it a validator of one type (@IsString(), @IsInt()), or say the type: @Field({ type: 'string' }); in a JSON Schema, `type`",
};
const FORM: Advice = {
  code: 'TW_ADVICE_SCHEMA',
  why: 'some clients refuse a tool with such a schema, or all tools of the server.',
  fix: 'describe the input as an object with fields of one type each, in JSON Schema 2020-12',
};

const ADVICE: Readonly<Record<ClientRule, Advice>> = {
  'tool-name': NAME,
  'property-name': KEY,
  untyped: UNTYPED,
  'root-not-object': FORM,
  'root-union': FORM,
  'boolean-schema': FORM,
  'array-without-items': FORM,
  'refused-keyword': FORM,
};

const MAX_NAMED_COUNT = 5;

/** What known clients refuse of the tools that are listed: one piece of advice for each tool and code. */
export function adviceOnClients({ tools }: Pick<CompiledApplication, 'tools'>): readonly Problem[] {
  return tools.flatMap((set) => set.tools.flatMap(adviceOnTool));
}

function adviceOnTool({ definition }: CompiledTool): readonly Problem[] {
  const found = new Map<Advice, ClientFinding[]>();
  for (const finding of refusedByClients(definition.name, definition.inputSchema)) {
    const advice = ADVICE[finding.rule];
    const known = found.get(advice);
    if (known === undefined) found.set(advice, [finding]);
    else known.push(finding);
  }
  const where = `tool "${definition.name}"`;
  return [...found].map(([{ code, why, fix }, findings]) => ({
    code,
    where,
    what: `${sayFindings(findings)}.`,
    why,
    fix,
  }));
}

function sayFindings(findings: readonly ClientFinding[]): string {
  const said = findings
    .slice(0, MAX_NAMED_COUNT)
    .map(({ path, what }) => (path === '' ? what : `${JSON.stringify(path)} ${what}`));
  const further = findings.length - said.length;
  return further === 0 ? said.join('; ') : `${said.join('; ')}; and ${String(further)} more`;
}
