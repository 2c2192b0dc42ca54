/** Describes the parameters of an operation for the OpenAPI document. */
import { foldName, TEXT_MAX } from '../../operations/given-query.ts'
import type { Parameter } from '../../operations/parameters.ts'
import type { JsonSchema } from '../../record/json-schema.ts'

/**
 * Returns a parameter and its other names as the document has them. A name that differs only in
 * case and underscores is in the description: generators make one identifier of `time_frame` and
 * `timeFrame`.
 */
export function describeParameter([name, parameter]: [string, Parameter]): JsonSchema[] {
  const { about, required, aliases, example, deprecated } = parameter
  const spellings = (aliases ?? []).filter((alias) => foldName(alias) === foldName(name))
  const also = spellings.map((alias) => `\`${alias}\``).join(', ')
  const others = (aliases ?? []).filter((alias) => !spellings.includes(alias))
  // One of the names is enough, which a document cannot require.
  const isEither = required === true && others.length > 0
  const either = isEither ? ` Required, by this name or ${others.join(', ')}.` : ''
  const schema = schemaOf(parameter)
  const described = {
    name,
    in: parameter.in ?? 'query',
    required: (required ?? false) && !isEither,
    description: `${about}${also === '' ? '' : ` Also spelled ${also}.`}${either}`,
    schema,
    ...(deprecated && { deprecated }),
    ...('mayBeEmpty' in parameter && parameter.mayBeEmpty && { allowEmptyValue: true }),
    ...(example !== undefined && { example: schema.type === 'array' ? [example] : example }),
  }
  return [
    described,
    ...others.map((alias) => ({
      ...described,
      name: alias,
      required: false,
      description: `The same as ${name}.`,
    })),
  ]
}

function schemaOf(parameter: Parameter): JsonSchema {
  if (parameter.type === 'integer') {
    const { minimum, maximum, cap } = parameter
    return {
      type: 'integer',
      minimum,
      // A capped parameter accepts larger values; its text states the cap.
      ...(maximum !== undefined && !cap && { maximum }),
      ...(parameter.default !== undefined && { default: parameter.default }),
    }
  }
  if (parameter.type === 'number') {
    const { minimum, above, maximum, cap } = parameter
    return {
      type: 'number',
      ...(minimum !== undefined && { [above ? 'exclusiveMinimum' : 'minimum']: minimum }),
      ...(maximum !== undefined && !cap && { maximum }),
      ...(parameter.default !== undefined && { default: parameter.default }),
    }
  }
  if (parameter.type === 'choice') {
    return {
      enum: parameter.values,
      ...(parameter.default !== undefined && { default: parameter.default }),
    }
  }
  if (parameter.type === 'boolean') {
    return {
      type: 'boolean',
      ...(parameter.default !== undefined && { default: parameter.default }),
    }
  }
  if (parameter.type === 'words') {
    const { values } = parameter
    const items = values === undefined ? { type: 'string', maxLength: TEXT_MAX } : { enum: values }
    return { type: 'array', items }
  }
  if (parameter.type === 'state') return { type: 'string', pattern: '^[A-Za-z]{2}$' }
  const { pattern } = parameter
  return {
    type: 'string',
    maxLength: TEXT_MAX,
    ...(pattern !== undefined && { pattern: pattern.is.source }),
  }
}
