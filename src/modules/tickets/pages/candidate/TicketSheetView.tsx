import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Qr } from '../../../../screens/candidate/Qr.tsx'
import { clockText, momentText } from '../../../../screens/candidate/times.ts'
import type { TicketSheet } from '../../contract.ts'

/** A ticket as it is shown at the door: who, where, when, and the code that proves it. */
export function TicketSheetView({ of }: { of: TicketSheet }): ReactNode {
  const t = useT()
  return (
    <article className="ticket" aria-label={t('准考证')}>
      <header>
        <p>{of.examName}</p>
        <h3>
          {of.itemName}
          {t('准考证')}
        </h3>
      </header>
      <div className="ticket-who">
        <Facts
          of={[
            [t('姓名'), `${of.name}　${of.sex}`],
            [t('证件号码'), of.idCard],
            [t('准考证号'), <b key="no">{of.ticketNo}</b>],
            [t('报考单位'), of.unit],
            [t('报考岗位'), `${of.code} ${of.postName}`],
          ]}
        />
        {of.photo && <img src={of.photo} alt={t('证件照')} width={92} height={129} />}
      </div>
      <dl className="ticket-door">
        <div>
          <dt>{t('考场号')}</dt>
          <dd>{of.roomNo}</dd>
        </div>
        <div>
          <dt>{t('座位号')}</dt>
          <dd>{of.seatNo}</dd>
        </div>
        <div>
          <dt>{t('最迟入场')}</dt>
          <dd>{clockText(of.latestTime ?? '') || '—'}</dd>
        </div>
      </dl>
      <Facts
        of={[
          [t('科目'), of.subject],
          [t('考试时间'), `${momentText(of.startTime)} – ${clockText(of.endTime)}`],
          [t('考点'), of.siteName],
          [t('地址'), of.address],
          [t('考场'), of.roomName],
          [t('交通'), of.traffic],
        ]}
      />
      <Qr text={of.qr} label={t('准考证验证码')} />
      <h4>{t('考生须知')}</h4>
      <ol>
        {of.notes.map(note => (
          <li key={note}>{note}</li>
        ))}
      </ol>
    </article>
  )
}
