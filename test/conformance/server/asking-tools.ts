import { IsString } from 'class-validator';
import { Action, Field, ReadOnly, ToolContext, ToolGroup, type Answer } from 'toolwright';
import { Choices, Defaults } from './forms.ts';

class Prompt {
  @IsString() @Field('What to ask the model') prompt!: string;
}

class Message {
  @IsString() @Field('What to tell the user') message!: string;
}

class Contact {
  @IsString() @Field("User's response") username!: string;
  @IsString() @Field("User's email address") email!: string;
}

/** Tools that ask the user or the client's model something. */
@ToolGroup({ name: 'asking', prefix: 'test' })
export class AskingTools {
  @Action({ name: 'sampling', description: "Asks the client's model" })
  @ReadOnly()
  async sample({ prompt }: Prompt, ctx: ToolContext) {
    const { text } = await ctx.sample({ messages: [{ role: 'user', content: prompt }], maxTokens: 100 });
    return `LLM response: ${text}`;
  }

  @Action({ name: 'elicitation', description: 'Asks the user for a name and an address' })
  @ReadOnly()
  async elicit({ message }: Message, ctx: ToolContext) {
    return `User response: ${tell(await ctx.ask(Contact, message))}`;
  }

  @Action({ name: 'elicitation_sep1034_defaults', description: 'Shows a form that is filled in already' })
  @ReadOnly()
  async defaults(ctx: ToolContext) {
    return `Elicitation completed: ${tell(await ctx.ask(Defaults, 'Is this right?'))}`;
  }

  @Action({ name: 'elicitation_sep1330_enums', description: 'Shows a form with every kind of choice' })
  @ReadOnly()
  async choices(ctx: ToolContext) {
    return `Elicitation completed: ${tell(await ctx.ask(Choices, 'What do you choose?'))}`;
  }

  @Action({ name: 'missing_capability', description: 'Needs a client that has a model' })
  @ReadOnly()
  async needsModel(ctx: ToolContext) {
    return (await ctx.sample('Are you there?')).text;
  }

  @Action({ name: 'streaming_elicitation', description: 'Answers without asking' })
  @ReadOnly()
  answer() {
    return 'Nothing was asked';
  }
}

function tell(answer: Answer<unknown>): string {
  const content = answer.action === 'accept' ? answer.content : {};
  return `action=${answer.action}, content=${JSON.stringify(content)}`;
}
