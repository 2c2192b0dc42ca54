/** Running jobs: what a page asks of them, and stopping one. */
import type { ConsoleContext } from '../context.ts'
import { showJob } from '../jobs.ts'
import { pathOfReferer, wantsJson } from '../replies.ts'
import type { PageReply, Routes } from '../routes.ts'

export function addJobPages(routes: Routes, context: ConsoleContext): void {
  const { jobs } = context
  // Results of a dry run hold names of the roll.
  const show = async ({ params }: { params: Record<string, string> }): Promise<PageReply> => ({
    json: showJob(jobs, params.id ?? ''),
  })
  routes.get('/jobs/:id', show, 'operator')

  routes.post('/jobs/:id/stop', async ({ params, signedIn, raw }): Promise<PageReply> => {
    const job = jobs.find(params.id ?? '')
    jobs.stop(params.id ?? '')
    if (job !== undefined && job.title !== '' && job.endedAt === null) {
      await context.note(signedIn.operator, 'stop', job.title)
    }
    return wantsJson(raw) ? { json: {} } : { redirect: pathOfReferer(raw) }
  })
}
