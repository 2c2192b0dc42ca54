/** Links between parcels before a roll and after it. */

/** Kinds of links, by their number in both stores. */
export const LINK_KINDS = ['split', 'merge', 'adjustment', 'renumbered'] as const
/** What speaks for a link, in the order of its bits. */
export const EVIDENCE = ['overlay', 'formerParcelIds', 'address', 'owner'] as const

/** Shares are ten-thousandths of the area of parent and child; `null` without polygons. */
export type Link = {
  parent: number
  child: number
  kind: number
  shareOfParent: number | null
  shareOfChild: number | null
  evidence: number
}
