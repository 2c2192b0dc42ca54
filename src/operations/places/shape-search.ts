/** `GET /public/property/shape/`: the parcels whose point is in a box or a polygon. */
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { defineOperation, showList } from '../operation.ts'
import {
  askPage,
  ID_ORDER,
  QUESTION,
  type QuestionPage,
  readAfter,
  readQuestion,
  scopeOf,
  showCount,
} from '../questions/question.ts'
import { CURSOR, FIELDS, LIMIT, OFFSET } from '../shared-parameters.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import { needArea, SHAPE } from './area.ts'
import { pageOfArea } from './area-page.ts'
import { listSchema, makePlaceFilter, PLACE_FILTERS } from './place-parameters.ts'

const PARAMETERS = {
  ...SHAPE,
  ...PLACE_FILTERS,
  ...QUESTION,
  fields: FIELDS,
  limit: LIMIT,
  cursor: CURSOR,
  // Ignored, it would give the first page again and again.
  offset: {
    ...OFFSET,
    maximum: 0,
    unless: 'cursor',
  },
} as const

export const shapeSearch = defineOperation({
  operationId: 'shapeSearch',
  path: '/public/property/shape/',
  parameters: PARAMETERS,
  freeWith: 'countOnly',
  answers: { schema: listSchema('shapeSearch') },
  refusals: [400, 503],
  unsupported: UNSUPPORTED_FILTERS,
  check(values) {
    const question = readQuestion(values)
    return {
      values,
      area: needArea(values),
      question: question && { ...question, after: readAfter(question, values.cursor) },
      afterId: question === undefined ? decodeCursor(values.cursor ?? '') : 0,
    }
  },
  find: ({ values, area, question, afterId }, context) =>
    context.queueSearch(async (pause) => {
      const filter = makePlaceFilter(values, context)
      const limit = context.pageSize ?? values.limit
      const show = ({ parcels, nextCursor, totals }: Omit<QuestionPage, 'ranked'>) => {
        const figures = { limit, count: parcels.length, nextCursor, areaSqMiles: area.areaSqMiles }
        return showList(parcels, context.layout, { ...figures, ...totals })
      }
      if (question !== undefined) {
        const scope = await scopeOf(filter, area, context)
        const { after, order = ID_ORDER } = question
        const paging = { after, skip: 0, limit, order, mayEnd: true }
        const page = await askPage(question, scope, paging, { ...context, pause })
        return question.countOnly ? showCount(page) : show(page)
      }
      if (filter === undefined) return show({ parcels: [], nextCursor: null, totals: {} })
      const asked = { area, filter, afterId, skip: 0, limit }
      const { parcels, nextId } = await pageOfArea(asked, { ...context, pause })
      const nextCursor = nextId === undefined ? null : encodeCursor(nextId)
      return show({ parcels, nextCursor, totals: {} })
    }),
})
