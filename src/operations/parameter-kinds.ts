/** Makes the commonest parameters; others are written out. Rules: `parameters.ts`. */

type Example = string | number | boolean

export const param = {
  text: (about: string, example: string) => ({ type: 'string', about, example }) as const,
  flag: (about: string, example: boolean = false) =>
    ({ type: 'boolean', default: false, about, example }) as const,
  /** A whole number from 1; larger ones than `maximum` are capped. */
  upTo: (maximum: number, ifAbsent: number, about: string, example: number) =>
    ({
      type: 'integer',
      minimum: 1,
      maximum,
      cap: true,
      default: ifAbsent,
      about,
      example,
    }) as const,
  choice: <const Word extends string>(
    values: readonly Word[],
    ifAbsent: NoInfer<Word>,
    about: string,
    example: NoInfer<Word> & Example,
  ) => ({ type: 'choice', values, default: ifAbsent, about, example }) as const,
}
