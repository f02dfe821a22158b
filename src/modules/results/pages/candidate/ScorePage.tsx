import type { ReactNode } from 'react'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { ownScores } from '../../contract.ts'
import { ScoreCard } from './ScoreCard.tsx'

/** The refusal of a person who has no score to look at yet. */
const notOut = REFUSAL.results.notReleased

/** The scores of a person, stage by stage, with a way to appeal. */
export default function ScorePage(): ReactNode {
  const t = useT()
  const scores = useContract(ownScores, {})
  const early = scores.error instanceof ApiError && scores.error.code === notOut ? scores.error.message : null
  return (
    <div className="my">
      <h1>{t('成绩')}</h1>
      {early !== null ? (
        <Nothing title={early}>
          <p>{t('公布后可在这里查看成绩、排名和是否入围。')}</p>
        </Nothing>
      ) : (
        <Loaded query={scores}>
          {list => list.map(one => <ScoreCard key={one.id} of={one} onChange={() => void scores.refetch()} />)}
        </Loaded>
      )}
    </div>
  )
}
