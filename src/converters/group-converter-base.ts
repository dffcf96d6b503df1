import type { Group } from '../model/group.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

/**
 * The base of converters of groups. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class GroupNames extends GroupConverterBase<string> {
 *   override convertFromGroup(group: Group) { return group.name; }
 * }
 */
export abstract class GroupConverterBase<TTarget> extends ConverterBase<Group, TTarget> {
  override convertFrom(group: Group): TTarget {
    requireWritten(this, GroupConverterBase.prototype, 'convertFrom', 'convertFromGroup');
    return this.convertFromGroup(group);
  }

  convertFromGroup(group: Group): TTarget {
    requireWritten(this, GroupConverterBase.prototype, 'convertFromGroup', 'convertFrom');
    return this.convertFrom(group);
  }

  override convertTo(target: TTarget): Group {
    requireWritten(this, GroupConverterBase.prototype, 'convertTo', 'convertToGroup');
    return this.convertToGroup(target);
  }

  convertToGroup(target: TTarget): Group {
    requireWritten(this, GroupConverterBase.prototype, 'convertToGroup', 'convertTo');
    return this.convertTo(target);
  }

  convertFromGroups(groups: readonly Group[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(groups);
  }

  convertToGroups(targets: readonly TTarget[]): Group[] {
    return this.convertToBatch(targets);
  }
}
