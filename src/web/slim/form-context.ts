/** Only the context: fields outside of a form do not need what forms are made of. */
export { FormProvider } from '@rc-component/form/es/FormContext'
