import { expect, test } from '@jest/globals';
import { ConverterBase, Group } from 'toolwright/model';

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
