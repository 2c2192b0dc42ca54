/** Privacy: what is here once suppressions and the audit of searches are. */

import type { Routes } from '../routes.ts'
import { html } from '../show/html.ts'

export function addPrivacyPages(routes: Routes): void {
  routes.get('/privacy', async () => ({
    title: 'Privacy',
    body: html`<div class="empty"><p>This version of the console does not show suppressions yet: the people whose name or home must not be shown,
with the dates by which the law wants it. Nor does it show who looked a parcel up.</p>
<p>Until then: take a person's rows out of the roll before it is imported.</p></div>
<section><h2>What the console itself keeps</h2><ul>
<li>What operators change, with their name, in the operator log. It is on <a href="/operation">Operation</a>.</li>
<li>No search of an operator, and no owner's name in any log.</li></ul></section>`,
  }))
}
