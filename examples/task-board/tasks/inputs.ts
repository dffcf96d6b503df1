import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { Field } from 'toolwright';

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

export class PlanTasks {
  @ValidateNested({ each: true })
  @Type(() => CreateTask)
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @Field('The tasks, each with a title of its own')
  tasks!: CreateTask[];
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
