import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { ticketList } from '../../contract.ts'
import { TicketCard } from './TicketCard.tsx'
import './ticket.css'

/** The tickets of a person: what is still missing for each, or the ticket itself. */
export default function TicketPage(): ReactNode {
  const t = useT()
  const tickets = useContract(ticketList, {})
  return (
    <div className="my">
      <h1>{t('准考证')}</h1>
      <Loaded query={tickets}>
        {({ records }) =>
          records.length > 0 ? (
            records
              .filter(one => 'ticketId' in one)
              .map(one => <TicketCard key={one.ticketId} of={one} onChange={() => void tickets.refetch()} />)
          ) : (
            <Nothing title={t('准考证尚未发布。发布后可在这里查看、下载和打印。')} />
          )
        }
      </Loaded>
    </div>
  )
}
