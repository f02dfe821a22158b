import { CheckCircleFilled } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Qr } from '../../../../screens/candidate/Qr.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import { yuan } from '../../../../screens/fields/money.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import type { Due, Order, OrderState } from '../../contract.ts'
import './pay.css'
import { useOrder } from './use-order.ts'

function ToPay({ order }: { order: Order }): ReactNode {
  const t = useT()
  const isPage = /^https?:\/\//.test(order.codeUrl)
  return (
    <>
      <p className="my-amount">¥ {yuan(order.amount)}</p>
      {order.instructions ? (
        <>
          <Facts of={order.instructions.map(({ label, value }) => [t(label), value])} />
          <p>{t('请按以上信息转账，到账后此页会自动更新')}</p>
        </>
      ) : (
        <>
          <Qr text={order.codeUrl} label={t('支付二维码')} />
          <p>{t('请用微信扫码支付，支付后此页会自动更新')}</p>
        </>
      )}
      {isPage && (
        <a className="pay-open" href={order.codeUrl} target="_blank" rel="noopener noreferrer">
          {t('打开支付页面')}
        </a>
      )}
      <p className="my-quiet">
        {t(order.instructions ? '订单有效时间' : '二维码有效时间')} <Countdown until={order.expireTime} />
      </p>
    </>
  )
}

function Receipt({ due, state }: { due: Due; state: OrderState }): ReactNode {
  const t = useT()
  return (
    <>
      <CheckCircleFilled aria-hidden style={{ fontSize: 48, color: 'var(--jx-good)' }} />
      <h2 role="status">{t('支付成功')}</h2>
      <p className="my-amount">¥ {yuan(state.amount)}</p>
      <Facts
        of={[
          [t('考试'), due.examName],
          [t('项目'), due.payName || due.itemName],
          [t('商户单号'), state.orderNo],
          [t('支付时间'), momentText(state.payTime)],
        ]}
      />
    </>
  )
}

/** Pays one due: QR code, amount and time left, then the receipt. */
export function PayDialog({ due, onClose }: { due: Due; onClose: () => void }): ReactNode {
  const t = useT()
  const { paying, again } = useOrder(due.id)
  const isPaid = paying.at === 'paid'
  return (
    <Modal
      open
      title={isPaid ? t('缴费凭据') : `${due.examName} · ${due.payName || due.itemName}`}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <Button size="large" block type={isPaid ? 'primary' : 'default'} onClick={onClose}>
          {t(isPaid ? '完成' : '稍后支付')}
        </Button>
      }
    >
      <div className="pay">
        {paying.at === 'making' && <PageSkeleton />}
        {paying.at === 'open' && <ToPay order={paying.order} />}
        {paying.at === 'paid' && <Receipt due={due} state={paying.state} />}
        {(paying.at === 'lapsed' || paying.at === 'failed') && (
          <>
            <p role="alert">{paying.at === 'failed' ? t(paying.reason) : t('二维码已失效')}</p>
            <Button type="primary" size="large" onClick={again}>
              {t(paying.at === 'failed' ? '重试' : '重新获取二维码')}
            </Button>
          </>
        )}
      </div>
    </Modal>
  )
}
