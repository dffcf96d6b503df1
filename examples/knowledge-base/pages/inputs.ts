import { IsBoolean, IsIn, IsString, MaxLength, MinLength } from 'class-validator';
import { Field } from 'toolwright';
import { PageReference } from '../folder/page-path.ts';

export class SearchPages {
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  @Field('Words that the page contains, all of them')
  words!: string;
}

export class WritePage extends PageReference {
  @IsString()
  @MinLength(1)
  @MaxLength(100_000)
  @Field('Markdown; the first heading is the title')
  text!: string;
}

/** What the user is asked before a page is overwritten. */
export class Overwrite {
  @IsIn(['append', 'replace'])
  @Field('Keep the old text before the new one, or throw it away')
  mode: 'append' | 'replace' = 'append';
}

/** What the user is asked before a page is deleted. */
export class DeletePage {
  @IsBoolean()
  @Field('Delete it for good')
  isSure!: boolean;
}
