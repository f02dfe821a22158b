import type { Readable } from 'node:stream'
import { ReleaseStatus } from '#schemas/dictionaries'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../../platform/workbook/workbook.ts'
import type { finalList } from '../final.ts'

type Final = Awaited<ReturnType<typeof finalList>>
type Row = Final['positions'][number]['rows'][number]

const flags = ['', '', '缺考', '违纪', '零分'] as const

/** A result in a list: the score, or the word that stands for it. */
export const resultWord = ({ resultFlag, score }: { resultFlag: number; score: string | null }) =>
  flags[resultFlag] || (score === null ? null : Number(score))

/** The stages whose shortlist somebody is on; where by moving up, that is said. */
export const shortlistsOf = ({ results }: Row, stages: Final['stages']): string[] =>
  stages.flatMap(({ itemId, itemName }) => {
    const one = results.find(found => found.itemId === itemId)
    if (one?.isNext !== 1) return []
    return [one.isPromoted ? `${itemName}（递补）` : itemName]
  })

/** The final list as a workbook: one line per person, one column per stage; scores are numbers. The foot says when it was made. */
export function finalSheet({ stages, positions }: Final, person: { name: string }, now: Date): Readable {
  const out = stages.filter(stage => stage.resultRelease === ReleaseStatus.released)
  const columns = [
    { title: '单位', width: 28 },
    { title: '岗位代码', width: 12 },
    { title: '岗位名称', width: 20 },
    { title: '招聘计划数', type: 'number' as const, width: 12 },
    { title: '报名号', width: 16 },
    { title: '姓名', width: 12 },
    ...out.map(stage => ({ title: stage.itemName, type: 'number' as const, width: 12 })),
    { title: '总成绩', type: 'number' as const, width: 12 },
    { title: '岗位排名', type: 'number' as const, width: 10 },
    { title: '入围', width: 24 },
    { title: '说明', width: 26 },
  ]
  const rows = positions.flatMap(position =>
    position.rows.map(row => {
      const own = (itemId: string) => row.results.find(one => one.itemId === itemId)
      const cells = out.map(({ itemId }) => {
        const one = own(itemId)
        return one ? resultWord(one) : null
      })
      const next = shortlistsOf(row, out)
      const head = [position.unitName, position.code, position.postName, position.curPlanNum, row.signNo, row.name]
      return [...head, ...cells, row.totalScore, row.rankNo, next.join('、'), row.runs ? '' : '已取消资格或放弃']
    }),
  )
  return streamWorkbook({ sheet: '总成绩', columns, rows, foot: takenBy(person, now) })
}
