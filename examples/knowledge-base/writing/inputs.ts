import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { Field } from 'toolwright';
import { PAGE_PATH, PageReference } from '../folder/page-path.ts';

export const TONES = ['neutral', 'friendly', 'formal'] as const;

export class SummarizePage extends PageReference {
  @IsString()
  @MaxLength(50)
  @Field('Language of the summary')
  language = 'English';

  @IsIn(TONES)
  @Field('How it sounds')
  tone: (typeof TONES)[number] = 'neutral';
}

export class ComparePages {
  @IsString()
  @Matches(PAGE_PATH)
  @Field('Path of one page')
  first!: string;

  @IsString()
  @Matches(PAGE_PATH)
  @Field('Path of the other page')
  second!: string;
}
