import { App, Button, Modal, Select } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { callOf } from '#engine'
import { send } from '#resources/messages/send'
import { OrderStatus, SendStatus } from '#schemas/dictionaries/pay'
import { call } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { Qr } from '../../../screens/candidate/Qr.tsx'
import { yuan } from '../../../screens/fields/money.ts'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { packagesOnShelf, payByCode, paymentState, type QrOrder, type SendInfo } from '../contract.ts'

/** Milliseconds between two questions whether it was paid. */
const EVERY = 3000

/** An order on the screen: it closes by itself once it is paid or over. */
function QrDialog({ order, onClose }: { order: QrOrder; onClose: (paid: boolean) => void }) {
  const t = useT()
  const { message } = App.useApp()
  const ask = useEffectEvent(async (): Promise<void> => {
    const { orderStatus } = await call(paymentState, { orderNo: order.orderNo }, { pass: 'all' })
    if (orderStatus === OrderStatus.paid) message.success(t('支付成功'))
    if (orderStatus !== OrderStatus.unpaid) onClose(orderStatus === OrderStatus.paid)
  })
  useEffect(() => {
    // A question that failed is asked again with the next one.
    const timer = setInterval(() => void ask().catch(() => undefined), EVERY)
    return () => clearInterval(timer)
  }, [])
  return (
    <Modal open title={t('支付短信套餐')} footer={null} onCancel={() => onClose(false)} mask={{ closable: false }}>
      <div style={{ display: 'grid', gap: 12, justifyItems: 'center', textAlign: 'center' }}>
        <strong style={{ fontSize: 28 }}>¥ {yuan(order.amount)}</strong>
        <div style={{ width: 220 }}>
          <Qr text={order.codeUrl} label={t('支付二维码')} />
        </div>
        <p>{t('请用微信扫码支付，支付后此页会自动更新')}</p>
        {/^https?:/.test(order.codeUrl) && (
          <a href={order.codeUrl} target="_blank" rel="noopener noreferrer">
            {t('打开支付页面')}
          </a>
        )}
        <p>{t('有效至 {{time}}', { time: order.expireTime })}</p>
      </div>
    </Modal>
  )
}

/** Chooses a package for a sending and pays it by QR code. */
function PackageButton({ info, onDone }: { info: SendInfo; onDone: () => void }) {
  const t = useT()
  const packages = useEndpoint(packagesOnShelf, {})
  const [chosen, choose] = useState<string | undefined>(info.packageId || undefined)
  const [order, setOrder] = useState<QrOrder>()
  const [busy, setBusy] = useState(false)
  const pay = async (): Promise<void> => {
    setBusy(true)
    try {
      if (chosen !== info.packageId && info.sendStatus === SendStatus.draft)
        await call(callOf(send, 'submit'), { id: info.id, version: info.version, packageId: chosen })
      setOrder(await call(payByCode, { id: info.id }))
    } catch {
      // The refusal has been shown; the page shows the sending as it is now.
      onDone()
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Select
        aria-label={t('套餐')}
        placeholder={t('请选择套餐')}
        style={{ minWidth: 220 }}
        value={chosen}
        disabled={info.sendStatus !== SendStatus.draft}
        onChange={choose}
        options={(packages.data ?? []).map(one => ({
          value: one.id,
          label: `${one.packageName} · ¥ ${yuan(one.price)}`,
        }))}
      />
      <Button disabled={!chosen} loading={busy} onClick={() => void pay()}>
        {t('扫码支付')}
      </Button>
      {order && (
        <QrDialog
          order={order}
          onClose={() => {
            setOrder(undefined)
            onDone()
          }}
        />
      )}
    </>
  )
}

/** The two ways to pay a sending: from the balance, or with a package. */
export function Paying({ info, onDone }: { info: SendInfo; onDone: () => void }) {
  const t = useT()
  const { modal } = App.useApp()
  const pay = useSend(callOf(send, 'useBalance'))
  const needed = info.segNum || 0
  const ask = (): void =>
    void modal.confirm({
      title: t('从余额扣除 {{n}} 条，余 {{m}} 条，确定支付?', { n: needed, m: info.balance - needed }),
      onOk: () => pay.mutateAsync({ id: info.id }).then(onDone, () => undefined),
    })
  const reaches = info.balance >= needed
  return (
    <>
      <Button type={reaches ? 'primary' : 'default'} disabled={!reaches} onClick={ask}>
        {t(reaches ? '余额支付' : '余额不足')}
      </Button>
      <PackageButton key={`${info.packageId} ${info.sendStatus}`} info={info} onDone={onDone} />
    </>
  )
}
