import { describe, expect, test } from '@jest/globals';
import {
  Group,
  GroupConverterBase,
  Prompt,
  PromptConverterBase,
  Resource,
  ResourceConverterBase,
  ResourceTemplate,
  ResourceTemplateConverterBase,
  Tool,
  ToolAnnotations,
  ToolAnnotationsConverterBase,
  ToolConverterBase,
} from 'toolwright/model';

type Convert = (value: unknown) => unknown;
type Converter = Record<string, Convert>;
type ConverterClass = abstract new () => object;

const bases: [base: ConverterClass, source: object, single: string, batch: string][] = [
  [ToolConverterBase, new Tool('x'), 'Tool', 'Tools'],
  [GroupConverterBase, new Group('x'), 'Group', 'Groups'],
  [PromptConverterBase, new Prompt('x'), 'Prompt', 'Prompts'],
  [ResourceConverterBase, new Resource('x'), 'Resource', 'Resources'],
  [ResourceTemplateConverterBase, new ResourceTemplate('x'), 'ResourceTemplate', 'ResourceTemplates'],
  [ToolAnnotationsConverterBase, new ToolAnnotations(), 'ToolAnnotation', 'ToolAnnotations'],
];

/** A subclass that has written exactly the given methods. */
function written(base: ConverterClass, methods: Converter): Converter {
  class Mine extends base {}
  Object.assign(Mine.prototype, methods);
  return new Mine() as Converter;
}

const wrap: Convert = (value) => (value === 0 ? undefined : { wrapped: value });
const unwrap: Convert = (value) => (value === 0 ? null : [value]);

describe.each(bases)('%p', (base, source, single, batch) => {
  const names = {
    from: `convertFrom${single}`,
    to: `convertTo${single}`,
    fromBatch: `convertFrom${batch}`,
    toBatch: `convertTo${batch}`,
  };

  test.each([
    ['generic', { convertFrom: wrap, convertTo: unwrap }],
    ['aliased', { [names.from]: wrap, [names.to]: unwrap }],
  ])('answers under all eight names when the %s singles are written', (_which, methods) => {
    const converter = written(base, methods);
    for (const name of ['convertFrom', names.from]) expect(converter[name]!(source)).toEqual(wrap(source));
    for (const name of ['convertTo', names.to]) expect(converter[name]!(1)).toEqual([1]);
    for (const name of ['convertFromBatch', names.fromBatch]) {
      expect(converter[name]!([source, 0, source])).toEqual([wrap(source), wrap(source)]);
      expect(converter[name]!([])).toEqual([]);
    }
    for (const name of ['convertToBatch', names.toBatch]) {
      expect(converter[name]!([1, 0, 2])).toEqual([[1], [2]]);
      expect(converter[name]!([])).toEqual([]);
    }
  });

  test('names class and method when neither single is written, and does not recurse', () => {
    const converter = written(base, {});
    for (const name of ['convertFrom', names.from, 'convertTo', names.to]) {
      expect(() => converter[name]!(source)).toThrow(new RegExp(`^TW_MODEL_CONVERTER: Mine\\.${name}\\(\\)`));
    }
    for (const name of ['convertFromBatch', names.fromBatch]) {
      expect(() => converter[name]!([source])).toThrow(/Mine\.convertFrom\(\)/);
    }
    for (const name of ['convertToBatch', names.toBatch]) {
      expect(() => converter[name]!([1])).toThrow(/Mine\.convertTo\(\)/);
    }
  });

  test('an override that asks the base for more gets the error and no recursion', () => {
    const alias = base.prototype as unknown as Converter;
    const converter = written(base, {
      [names.from](this: Converter, value) {
        return alias[names.from]!.call(this, value);
      },
    });
    expect(() => converter.convertFrom!(source)).toThrow(/TW_MODEL_CONVERTER/);
  });
});

test('singles written as arrow properties count as written', () => {
  class Names extends ToolConverterBase<string> {
    override convertFromTool = (tool: Tool) => tool.name;
  }
  const converter: ToolConverterBase<string> = new Names();
  expect(converter.convertFrom(new Tool('list'))).toBe('list');
  expect(converter.convertFromTools([new Tool('list')])).toEqual(['list']);
});
