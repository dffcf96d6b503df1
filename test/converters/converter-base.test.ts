import { expect, test, describe } from '@jest/globals';
import {
  ConverterBase,
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

class Numbers extends ConverterBase<string | null, number | string | boolean | null | undefined> {
  override convertFrom(source: string | null) {
    if (source === null) return null;
    return source === 'nothing' ? undefined : (JSON.parse(source) as number | string | boolean);
  }

  override convertTo(target: number | string | boolean | null | undefined) {
    return target === 1 ? null : String(target);
  }
}

test('converts single values in both directions', () => {
  expect(new Numbers().convertFrom('7')).toBe(7);
  expect(new Numbers().convertTo(7)).toBe('7');
});

test('a batch keeps the order, drops null and undefined and keeps every other falsy result', () => {
  const sources = ['2', null, '0', 'nothing', '""', 'false', '1'];
  expect(new Numbers().convertFromBatch(sources)).toEqual([2, 0, '', false, 1]);
  expect(new Numbers().convertToBatch([0, 1, '', 2])).toEqual(['0', '', '2']);
});

test('an empty batch gives an empty one', () => {
  expect(new Numbers().convertFromBatch([])).toEqual([]);
  expect(new Numbers().convertToBatch([])).toEqual([]);
});

test('a direction that is not implemented throws an error naming class and method', () => {
  class GroupNames extends ConverterBase<Group, string> {}
  const converter = new GroupNames();
  const coded = expect.objectContaining({ code: 'TW_MODEL_CONVERTER' });
  expect(() => converter.convertFrom(new Group('a'))).toThrow(coded);
  expect(() => converter.convertFrom(new Group('a'))).toThrow(/GroupNames\.convertFrom\(\)/);
  expect(() => converter.convertTo('a')).toThrow(/GroupNames\.convertTo\(\)/);
  expect(() => converter.convertToBatch(['a'])).toThrow(/GroupNames\.convertTo\(\)/);
});

test('a converter may be written in one direction only', () => {
  class GroupNames extends ConverterBase<Group, string> {
    override convertFrom(group: Group) {
      return group.name;
    }
  }
  expect(new GroupNames().convertFromBatch([new Group('a')])).toEqual(['a']);
  expect(() => new GroupNames().convertTo('a')).toThrow(/TW_MODEL_CONVERTER/);
});

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
