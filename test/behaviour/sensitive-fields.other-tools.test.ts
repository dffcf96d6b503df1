import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { Action, McpApplication, Module, Sensitive, ToolGroup } from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { post2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';

/** A field of a DTO: a text, which may be sensitive, or one or many objects with fields. */
interface FieldForm {
  readonly name: string;
  readonly kind: 'text' | 'sensitive' | 'object' | 'list';
  readonly fields: readonly FieldForm[];
}
type Form = readonly FieldForm[];

const NAMES = ['pin', 'card', 'note', 'code', 'owner', 'items', 'token', 'meta'];
const { form } = fc.letrec<{ form: Form; field: FieldForm }>((tie) => ({
  form: fc.uniqueArray(tie('field'), { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  field: fc
    .record({
      name: fc.constantFrom(...NAMES),
      kind: fc.constantFrom('text', 'sensitive', 'object', 'list'),
      fields: fc.oneof({ maxDepth: 2 }, fc.constant<Form>([]), tie('form')),
    })
    .map((field) =>
      field.fields.length === 0 && field.kind !== 'text' ? { ...field, kind: 'sensitive' as const } : field,
    ),
}));

type AnyClass = new () => object;

function classOf(fields: Form): AnyClass {
  class Dto {}
  for (const { name, kind, fields: inner } of fields) {
    const isText = kind === 'text' || kind === 'sensitive';
    const nested = isText ? Dto : classOf(inner);
    const decorators = isText
      ? [IsString(), MaxLength(3), ...(kind === 'sensitive' ? [Sensitive()] : [])]
      : [ValidateNested(), Type(() => nested), ...(kind === 'list' ? [IsArray()] : [])];
    for (const decorate of [IsOptional(), ...decorators]) decorate(Dto.prototype, name);
  }
  return Dto;
}

function groupOf(name: string, input: AnyClass): AnyClass {
  @ToolGroup(name)
  class Tools {
    @Action({ description: 'Is called by mistake', input }) run(_input: object): string {
      return 'done';
    }
  }
  return Tools;
}

/** Arguments with a secret in each sensitive field, and in no other. */
function filled(fields: Form, secret: string): object {
  const value = ({ kind, fields: inner }: FieldForm): unknown => {
    if (kind === 'text') return 'x';
    if (kind === 'sensitive') return secret;
    return kind === 'list' ? [filled(inner, secret)] : filled(inner, secret);
  };
  return Object.fromEntries(fields.map((field) => [field.name, value(field)]));
}

function* namesOf(fields: Form, isWanted: (field: FieldForm) => boolean): Generator<string> {
  for (const field of fields) {
    if (isWanted(field)) yield field.name;
    yield* namesOf(field.fields, isWanted);
  }
}

/** A tool that shows a field of the same name has said that it may be shown. */
function declaresOne(other: Form, fields: Form): boolean {
  const declared = new Set(namesOf(other, () => true));
  return [...namesOf(fields, ({ kind }) => kind === 'sensitive')].some((name) => declared.has(name));
}

test('what is sensitive in one tool is shown nowhere when it is sent to another', async () => {
  const seed = Date.now() % 1_000_000;
  const forms = fc.sample(form, { numRuns: 24, seed });
  @Module({ controllers: forms.map((fields, index) => groupOf(`tool${String(index)}`, classOf(fields))) })
  class AnyModule {}
  const sky = new Observatory();
  const { tracerProvider, meterProvider } = sky;
  const logger = new MemoryLogger();
  const app = await McpApplication.create(AnyModule, {
    logger,
    maskErrors: false,
    accessLog: true,
    telemetry: openTelemetry({
      tracerProvider,
      meterProvider,
      attributes: { arguments: true, result: true },
    }),
  });
  const { url, explorer = '' } = await app.listen({ port: 0, explorer: true, signals: false });
  const [page = '', token = ''] = explorer.split('#token=');
  const events = await fetch(`${page}/api/events`, { headers: { 'toolwright-explorer-token': token } });
  const watching = (events.body as ReadableStream<Uint8Array>).getReader();
  const answers: string[] = [];
  for (const [from, fields] of forms.entries()) {
    for (const [to, other] of forms.entries()) {
      if (from === to || declaresOne(other, fields)) continue;
      const args = { action: 'run', ...filled(fields, `Zq9$${String(from)}-${String(to)}$`) };
      const { body } = await post2026(url, 'tools/call', { name: `tool${String(to)}`, arguments: args });
      answers.push(body);
    }
  }
  await post2026(url, 'tools/call', { name: 'tool0', arguments: { action: 'the-end' } });
  let seen = '';
  let shown = 0;
  while (shown <= answers.length) {
    const chunk = new TextDecoder().decode((await watching.read()).value);
    shown += chunk.split('"tools/call"').length - 1;
    seen += chunk;
  }
  const whole = { depth: 12, maxStringLength: null, maxArrayLength: null };
  const spans = sky.takeSpans().map(({ name, attributes, events: told }) => [name, attributes, told]);
  const said = {
    answers: answers.join('\n'),
    log: inspect(logger.records, whole),
    spans: inspect(spans, whole),
    seen,
  };
  await watching.cancel();
  await app.close();
  await sky.close();
  const told = Object.entries(said).flatMap(([where, text]) =>
    [...text.matchAll(/Zq9\$(\d+)-(\d+)/g)].map(([, from, to]) => {
      const shapes = [forms[Number(from)], forms[Number(to)]].map((each) => JSON.stringify(each));
      return `seed ${String(seed)}, ${where}: ${shapes.join(' sent to ')}`;
    }),
  );
  expect([...new Set(told)]).toEqual([]);
  expect(answers.length).toBeGreaterThan(50);
});
