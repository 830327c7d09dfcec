import { LitElement, html } from 'lit';

class AppElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  render() {
    return html`<h1>Kairos</h1>`;
  }
}
customElements.define('k-app', AppElement);
