import {
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Field } from 'toolwright';

export class Workspace {
  @IsString()
  @Matches(/^[a-z0-9-]+$/)
  @Field('Workspace to work in')
  workspaceId!: string;
}

export class CreateTask {
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  @Field('What has to be done')
  title!: string;

  @IsInt()
  @Min(1)
  @Max(5)
  @Field('1 is the most urgent')
  priority = 3;
}

export class ListTasks {
  @IsBoolean()
  @IsOptional()
  @Field('Only those that are done, or only those that are not')
  done?: boolean;
}

export class TaskReference {
  @IsInt()
  @Min(1)
  @Field('Number of the task')
  task!: number;
}

export class NewComment extends TaskReference {
  @IsString()
  @MinLength(1)
  @Field('The comment')
  text!: string;
}
