import fc from 'fast-check';
import {
  type Annotations,
  type BaseModel,
  createAnnotations,
  createIcon,
  createToolAnnotations,
  Group,
  type Icon,
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
  Tool,
  type ToolAnnotations,
} from 'toolwright/model';

const name = fc.string({ minLength: 1 });
const text = fc.option(fc.string(), { nil: undefined });
const flag = fc.option(fc.boolean(), { nil: undefined });
const json = fc.jsonValue({ maxDepth: 3 });
// A plain object lists index-like keys first, so only a Map without them keeps its order.
const metaKey = fc.string({ minLength: 1 }).filter((key) => !/^\d+$/.test(key));

const icon: fc.Arbitrary<Icon> = fc
  .record({
    src: fc.webUrl(),
    mimeType: text,
    sizes: fc.option(fc.array(fc.constantFrom('48x48', 'any')), { nil: undefined }),
    theme: fc.constantFrom('light' as const, 'dark' as const, undefined),
  })
  .map(createIcon);

const annotations: fc.Arbitrary<Annotations> = fc
  .record({
    audience: fc.option(fc.array(fc.constantFrom('user' as const, 'assistant' as const)), { nil: undefined }),
    priority: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    lastModified: fc.constantFrom('2025-01-12T15:00:58Z', undefined),
  })
  .map(createAnnotations);

export const toolAnnotations: fc.Arbitrary<ToolAnnotations> = fc
  .record({
    title: text,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
    returnDirect: flag,
  })
  .map(createToolAnnotations);

const schema = fc.dictionary(fc.string(), json).map((keywords) => ({ ...keywords, type: 'object' }));

const base = {
  title: text,
  description: text,
  meta: fc.option(
    fc.array(fc.tuple(metaKey, json)).map((entries) => new Map<string, unknown>(entries)),
    { nil: undefined },
  ),
  icons: fc.option(fc.array(icon, { maxLength: 2 }), { nil: undefined }),
};

function model<T extends BaseModel>(make: (name: string) => T, fields: object): fc.Arbitrary<T> {
  const members = fc.record({ ...base, ...fields });
  return fc.tuple(name, members).map(([own, values]) => Object.assign(make(own), values));
}

export const tool = model((own) => new Tool(own), {
  inputSchema: schema,
  outputSchema: fc.option(schema, { nil: undefined }),
  toolAnnotations: fc.option(toolAnnotations, { nil: undefined }),
});

const argument = model((own) => new PromptArgument(own), { required: fc.boolean() });

export const prompt = fc
  .tuple(
    model((own) => new Prompt(own), {}),
    fc.array(argument, { maxLength: 3 }),
  )
  .map(([made, held]) => {
    for (const one of held) made.addPromptArgument(one);
    return made;
  });

const place = { mimeType: text, annotations: fc.option(annotations, { nil: undefined }) };

export const resource = model((own) => new Resource(own), {
  ...place,
  uri: fc.string(),
  size: fc.option(fc.nat(), { nil: undefined }),
});

export const resourceTemplate = model((own) => new ResourceTemplate(own), {
  ...place,
  uriTemplate: fc.string(),
});

/** A group with leaves, below which hang the other groups, each below the one its number points at. */
export const tree: fc.Arbitrary<Group> = fc
  .array(
    fc.record({
      node: model((own) => new Group(own), {}),
      separator: fc.constantFrom(undefined, '', '/', '.'),
      below: fc.nat(),
      tools: fc.array(tool, { maxLength: 2 }),
      prompts: fc.array(prompt, { maxLength: 1 }),
      resources: fc.array(resource, { maxLength: 1 }),
      templates: fc.array(resourceTemplate, { maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => {
    const groups = parts.map(({ node, separator }) =>
      Object.assign(new Group(node.name, separator), fieldsOf(node)),
    );
    parts.forEach(({ below, tools, prompts, resources, templates }, index) => {
      const group = groups[index]!;
      if (index > 0) groups[below % index]!.addChildGroup(group);
      for (const one of tools) groups[0]!.addChildTool(one);
      for (const one of tools) group.addChildTool(one);
      for (const one of prompts) group.addChildPrompt(one);
      for (const one of resources) group.addChildResource(one);
      for (const one of templates) group.addChildResourceTemplate(one);
    });
    return groups[0]!;
  });

function fieldsOf({ title, description, meta, icons }: Group): Partial<Group> {
  return { title, description, meta, icons };
}
