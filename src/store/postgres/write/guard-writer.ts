/** Turns errors of the server while a roll is written into sentences. */
import { CommandError } from '../../../base/errors.ts'
import type { RollWriter, RowMarks } from '../../store.ts'
import { asDriverError, isOutOfOrder } from '../pool/errors.ts'

/** A writer whose methods throw what the server throws. */
type Writer = {
  [Name in Exclude<keyof RollWriter, 'marks' | 'repeats' | 'ids'>]: (
    ...asked: Parameters<RollWriter[Name]>
  ) => Promise<Awaited<ReturnType<RollWriter[Name]>>>
} & Pick<RollWriter, 'repeats' | 'ids'> & { readonly marks: RowMarks | undefined }

/** `where` names the database. Throws `CommandError` for a server that is out of order. */
export function guardWriter(writer: Writer, where: string): RollWriter {
  const explain = (caught: unknown) => {
    const error = caught instanceof CommandError ? caught : asDriverError(caught)
    if (!isOutOfOrder(error)) return error
    const { message } = error as Error
    return new CommandError(
      `${where}: ${message}; nothing was loaded, and the previous roll is still served`,
      1,
      error,
    )
  }
  const guarded = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error)
    })
  const { marks } = writer
  return {
    stage: (parcels) => guarded(writer.stage(parcels)),
    repeats: () => writer.repeats(),
    drop: (rows) => guarded(writer.drop(rows)),
    leave: (parcels) => guarded(writer.leave(parcels)),
    compare: (pairs) => guarded(writer.compare(pairs)),
    apply: (removeAbsent, loadedAt, onProgress, note, token) =>
      guarded(writer.apply(removeAbsent, loadedAt, onProgress, note, token)),
    ids: () => writer.ids(),
    discard: () => writer.discard(),
    ...(marks && {
      marks: {
        ...marks,
        tokens: () => guarded(Promise.resolve(marks.tokens())),
        claim: (scopes) => guarded(Promise.resolve(marks.claim(scopes))),
        see: (parcels) => guarded(Promise.resolve(marks.see(parcels))),
        unsee: () => guarded(Promise.resolve(marks.unsee())),
      },
    }),
  }
}
