import { IsString, Matches } from 'class-validator';
import { Field } from 'toolwright';

export class Workspace {
  @IsString()
  @Matches(/^[a-z0-9-]+$/)
  @Field('Workspace to work in')
  workspaceId!: string;
}
