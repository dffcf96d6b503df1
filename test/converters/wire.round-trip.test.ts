import { expect, test } from '@jest/globals';
import {
  PromptSchema,
  ResourceSchema,
  ResourceTemplateSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import {
  McpGroupConverter,
  McpPromptConverter,
  McpResourceConverter,
  McpResourceTemplateConverter,
  McpToolAnnotationsConverter,
  McpToolConverter,
  sealModel,
  type WireGroup,
} from 'toolwright/model';
import { fieldsOf, groupFacts, promptFacts } from './facts-of.ts';
import { prompt, resource, resourceTemplate, tool, toolAnnotations, tree } from './model-arbitraries.ts';

function undefinedMembers(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) =>
    member === undefined ? [value] : undefinedMembers(member),
  );
}

test('a tool comes back from its wire form unchanged', () => {
  const converter = new McpToolConverter();
  fc.assert(
    fc.property(tool, (made) => {
      const wire = converter.convertFromTool(made);
      expect(fieldsOf(converter.convertToTool(wire))).toStrictEqual(fieldsOf(made));
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('a prompt comes back from its wire form unchanged', () => {
  const converter = new McpPromptConverter();
  fc.assert(
    fc.property(prompt, (made) => {
      const wire = converter.convertFromPrompt(made);
      expect(promptFacts(converter.convertToPrompt(wire))).toStrictEqual(promptFacts(made));
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('a resource comes back from its wire form unchanged', () => {
  const converter = new McpResourceConverter();
  fc.assert(
    fc.property(resource, (made) => {
      const wire = converter.convertFromResource(made);
      expect(fieldsOf(converter.convertToResource(wire))).toStrictEqual(fieldsOf(made));
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('a resource template comes back from its wire form unchanged', () => {
  const converter = new McpResourceTemplateConverter();
  fc.assert(
    fc.property(resourceTemplate, (made) => {
      const wire = converter.convertFromResourceTemplate(made);
      expect(fieldsOf(converter.convertToResourceTemplate(wire))).toStrictEqual(fieldsOf(made));
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('tool annotations come back from their wire form unchanged', () => {
  const converter = new McpToolAnnotationsConverter();
  fc.assert(
    fc.property(toolAnnotations, (made) => {
      const wire = converter.convertFromToolAnnotation(made);
      expect(converter.convertToToolAnnotation(wire)).toStrictEqual(made);
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('a tree comes back from its plain form unchanged, leaves with several parents included', () => {
  const converter = new McpGroupConverter();
  fc.assert(
    fc.property(tree, (made) => {
      const wire = converter.convertFromGroup(made);
      expect(groupFacts(converter.convertToGroup(wire))).toStrictEqual(groupFacts(made));
      expect(undefinedMembers(wire)).toEqual([]);
    }),
  );
});

test('a sealed tree has the same plain form as before', () => {
  const converter = new McpGroupConverter();
  fc.assert(
    fc.property(tree, (made) => {
      const before = JSON.stringify(converter.convertFromGroup(made));
      sealModel(made);
      expect(JSON.stringify(converter.convertFromGroup(made))).toBe(before);
      expect(
        JSON.stringify(converter.convertFromGroup(converter.convertToGroup(JSON.parse(before) as WireGroup))),
      ).toBe(before);
    }),
  );
});

test('whatever the model holds, its wire form passes the checks of the MCP SDK', () => {
  fc.assert(
    fc.property(prompt, resource, resourceTemplate, (madePrompt, madeResource, madeTemplate) => {
      PromptSchema.parse(new McpPromptConverter().convertFrom(madePrompt));
      ResourceSchema.parse(new McpResourceConverter().convertFrom(madeResource));
      ResourceTemplateSchema.parse(new McpResourceTemplateConverter().convertFrom(madeTemplate));
    }),
  );
  fc.assert(
    fc.property(tool, (made) => {
      const wire = new McpToolConverter().convertFrom(made);
      ToolSchema.parse({ ...wire, inputSchema: { type: 'object' }, outputSchema: undefined });
    }),
  );
});
