/** `GET /public/ratios/`: the ratio study of a county by the IAAO's standard. docs/ratios.md. */
import { createHash } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { answerOf, type JsonSchema, json } from '../../record/json-schema.ts'
import { findCounty } from '../../regions/counties.ts'
import { CLASSES, RANGES } from '../../sales/ratio-standard.ts'
import { STATISTICS } from '../../sales/ratio-statistics.ts'
import { defineOperation, replyWithEtag, studyDeadline } from '../operation.ts'
import { param, STATE, USE_STANDARD_CODE } from '../shared-parameters.ts'
import { GROUPS, studyCounty } from './ratio-report.ts'

/** Sales read for a request; of more an even sample is read. */
const READ_MAX = 20_000

const PARAMETERS = {
  state: STATE,
  county: { ...param.text, required: true },
  municipality: param.text,
  useStandardCode: USE_STANDARD_CODE,
  from: param.day,
  to: param.day,
  basis: param.choice(['market', 'assessed'], 'market'),
  groupBy: param.oneOf(GROUPS),
} as const

const HELD: JsonSchema = {
  type: ['object', 'null'],
  description: 'Which ranges of the standard hold; `null` without statistics.',
  properties: {
    ...Object.fromEntries(
      Object.entries(RANGES).map(([name, [low, high]]) => [
        name,
        name === 'median'
          ? {
              type: ['boolean', 'null'],
              description:
                `Whether ${name} is within ${low} and ${high}; null for \`basis=assessed\`, ` +
                'because a law may set assessed values at a share of the market.',
            }
          : json.boolean(`Whether ${name} is within ${low} and ${high}.`),
      ]),
    ),
    cod: json.list(
      { type: 'string', enum: Object.keys(CLASSES) },
      'Classes of property whose range contains the COD.',
    ),
  },
}

const STATISTIC = {
  ...answerOf('statistic'),
  type: ['object', 'null'],
  description: 'A value with its 95 % interval; `null`: see `reason`.',
}

const SCHEMA: JsonSchema = answerOf('ratioStudy', {
  statistics: json.object(Object.fromEntries(STATISTICS.map((name) => [name, STATISTIC]))),
  standard: HELD,
  complete: json.boolean(`false: an even sample of ${READ_MAX} sales was read.`),
})

export const ratioStudy = defineOperation({
  operationId: 'ratioStudy',
  path: '/public/ratios/',
  parameters: PARAMETERS,
  answers: { schema: SCHEMA },
  refusals: [304, 400, 404, 503],
  check(values) {
    const fips = findCounty(values.state, values.county)?.fips
    const [from, to] = [values.from?.trim(), values.to?.trim()]
    if (from !== undefined && to !== undefined && from > to) {
      throw refuse.badRequest('from must not be after to')
    }
    return { ...values, from, to, fips }
  },
  async find({ fips, ...values }, context) {
    if (fips === undefined) throw refuse.notFound('The county is not known')
    const { parcels } = context
    const deadline = studyDeadline(context)
    const asked = { ...values, fips }
    const question = JSON.stringify([await parcels.version(), asked])
    const etag = `"${createHash('sha256').update(question).digest('hex').slice(0, 16)}"`
    return replyWithEtag(etag, context, () =>
      context.queueSearch(async (takeTurns) => {
        const pause = async () => {
          await takeTurns()
          if (performance.now() > deadline) {
            throw refuse.unavailable('The study took too long; ask for a shorter period')
          }
        }
        const report = await studyCounty(asked, { parcels, pause, readMax: READ_MAX })
        return { body: JSON.stringify(report), headers: {} }
      }),
    )
  },
})
