// The × that closes a card.

export const Close = ({ name, close }) => (
    <button type="button" class="icon close" aria-label={name} title={name} onClick={close} />
);
